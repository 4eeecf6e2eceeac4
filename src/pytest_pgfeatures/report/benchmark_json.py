"""Measured times in the format of pytest-benchmark, whose ``pytest-benchmark compare`` shows runs side by side.

It has only quantities of time. The format: https://pytest-benchmark.readthedocs.io/en/latest/
(``--benchmark-json``).
"""

from __future__ import annotations

import datetime
import json
import platform
import statistics
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.report.measure import machine

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_pgfeatures.measure.outcome import Measured, PointMeasured

VERSION = "5.0.0"
"""The release of pytest-benchmark that the file claims as its writer; its tools read it."""


def benchmark_json(all_of_them: Sequence[Measured]) -> str:
    """One benchmark for each side of each point: its seconds by round."""
    facts = machine()
    now = datetime.datetime.now(datetime.UTC).isoformat()
    whole = {
        "machine_info": {
            "node": platform.node(),
            "processor": platform.processor(),
            "machine": facts.architecture,
            "python_implementation": platform.python_implementation(),
            "python_version": facts.python,
            "system": platform.system(),
            "release": platform.release(),
            "cpu": {"count": facts.processors},
        },
        "commit_info": {"id": "unknown", "time": None, "dirty": False, "branch": "(unknown)"},
        "benchmarks": [each for measured in all_of_them for each in _benchmarks(measured)],
        "datetime": now,
        "version": VERSION,
    }
    return json.dumps(whole, indent=1) + "\n"


def _benchmarks(measured: Measured) -> Iterator[dict[str, Any]]:
    for point in measured.points:
        units = {comparison.quantity: comparison.unit for comparison in point.comparisons}
        for side in (side for side in measured.sides if side in point.values):
            for quantity, values in point.values[side].items():
                if units.get(quantity) == "s":
                    yield _benchmark(measured, point, side, quantity, values)


def _benchmark(
    measured: Measured, point: PointMeasured, side: str, quantity: str, values: tuple[float, ...]
) -> dict[str, Any]:
    params = {**point.labels, "side": measured.sides[side], "quantity": quantity}
    name = f"{measured.id}[{'-'.join(params.values())}]"
    return {
        "group": f"{measured.id} {point}".strip(),
        "name": name,
        "fullname": name,
        "params": params,
        "param": "-".join(params.values()),
        "extra_info": {"install": measured.installs.get(side, ""), "scale": measured.scale},
        "options": {"disable_gc": False, "timer": "perf_counter", "min_rounds": len(values)},
        "stats": _stats(values),
    }


def _stats(values: tuple[float, ...]) -> Mapping[str, Any]:
    low, middle, high = _quartiles(values)
    mean, deviation = statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else 0.0
    spread = high - low
    mild = sum(not low - 1.5 * spread <= value <= high + 1.5 * spread for value in values)
    outside = sum(abs(value - mean) > deviation for value in values)
    return {
        "min": min(values),
        "max": max(values),
        "mean": mean,
        "stddev": deviation,
        "rounds": len(values),
        "median": middle,
        "iqr": spread,
        "q1": low,
        "q3": high,
        "iqr_outliers": mild,
        "stddev_outliers": outside,
        "outliers": f"{outside};{mild}",
        "ld15iqr": min(value for value in values if value >= low - 1.5 * spread),
        "hd15iqr": max(value for value in values if value <= high + 1.5 * spread),
        "ops": 1 / mean,
        "total": sum(values),
        "iterations": 1,
        "data": list(values),
    }


def _quartiles(values: tuple[float, ...]) -> tuple[float, float, float]:
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high
