"""The page of experiments: each with its table and its plot."""

from __future__ import annotations

import base64
import shlex
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import ExtraMissingError
from pytest_pgfeatures.measure.outcome import ClaimVerdict
from pytest_pgfeatures.page.write import Section, render, write_page
from pytest_pgfeatures.report.measure import (
    control_text,
    figure_text,
    interval_text,
    machine_text,
    scaled_text,
    shown,
    verdict_text,
)
from pytest_pgfeatures.report.plots import draw
from pytest_pgfeatures.results.model import InstallUsed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_pgfeatures.measure.outcome import Measured


def write_experiments(
    path: Path, all_of_them: Sequence[Measured], *, command: str, keyword: str | None = None
) -> None:
    """Write the page. Without matplotlib it has no plots, and says so.

    Parameters:
        path: the file.
        all_of_them: the results.
        command: the command line, without ``-k``.
        keyword: the value of ``-k``.

    Raises:
        OSError: the file can't be written.
    """
    absent = sum(bool(each.trouble) and not each.failed for each in all_of_them)
    failed = sum(each.failed for each in all_of_them)
    counts = [("asked", len(all_of_them)), ("ran", len(all_of_them) - absent), ("absent", absent)]
    counts += [("failed", failed)] if failed else []
    counts.append(("ratios", sum(len(list(each.comparisons())) for each in all_of_them)))
    counts += [(str(verdict), sum(each.count(verdict) for each in all_of_them)) for verdict in ClaimVerdict]
    facts = [
        ("run", f"{command} -k {shlex.quote(keyword)}" if keyword else command),
        ("machine", machine_text()),
        ("control", control_text(all_of_them) or "none of these experiments has one"),
        ("how to read it", "Ratios count. Times depend on the machine; they are never judged."),
    ]
    sections = [experiment_section(each, f"{command} -k {shlex.quote(each.id)}") for each in all_of_them]
    write_page(path, "Experiments", sections, counts=counts, facts=facts)


def experiment_section(measured: Measured, again: str) -> Section:
    """Return an experiment with its table and its plot.

    Parameters:
        measured: its result.
        again: the command that repeats it.
    """
    parts = list(dict.fromkeys(name for point in measured.points for name in point.labels))
    rows = [
        {
            "labels": [point.labels[name] for name in parts],
            "quantity": each.quantity,
            "base": shown(each.base_value, each.unit),
            "side": f"{measured.sides[each.side]}: {shown(each.value, each.unit)}",
            "ratio": interval_text(each.interval),
            "rounds": each.interval.rounds,
            "document": figure_text(each.figure),
            "text": each.figure.text if each.figure else "",
            "verdict": verdict_text(each),
        }
        for point, each in measured.comparisons()
    ]
    html = render(
        "experiments.html",
        measured=measured,
        base=next(iter(measured.sides.values())),
        parts=parts,
        rows=rows,
        installs=list(dict.fromkeys(_install(measured, side) for side in measured.installs)),
        again=again,
        scaled=scaled_text(measured),
        facts=list(measured.facts()),
        troubles=measured.troubles(),
        **_plot(measured),
    )
    return Section(measured.id.replace("/", "-").replace(".", "-"), f"{measured.id}: {measured.title}", html)


def _install(measured: Measured, side: str) -> str:
    """An install with its directory, and its archive's checksum, if known."""
    bindir = measured.bindirs[side]
    checksum = InstallUsed.at("", "", bindir).sha256
    return f"PostgreSQL {measured.installs[side]}: {bindir}" + (f", sha256:{checksum}" if checksum else "")


def _plot(measured: Measured) -> dict[str, Any]:
    """The plot as a data URI, or the reason why there is none."""
    if not any(True for _ in measured.comparisons()):
        return {"plot": None, "no_plot": ""}
    try:
        content = base64.b64encode(draw(measured)).decode()
    except ExtraMissingError as error:
        return {"plot": None, "no_plot": error.problem}
    return {"plot": f"data:image/svg+xml;base64,{content}", "no_plot": ""}
