"""Lists items that pass on some versions and fail on others, that is, the effects of an upgrade."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.results.model import FAILURES, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_pgfeatures.results.model import Result

_Split = tuple[tuple[str, ...], tuple[str, ...]]
"""The cells in which an item passes, and those in which it fails."""


def difference_lines(results: Iterable[Result]) -> list[str]:
    """Return ``passes on 14, fails on 18: 2`` and the names of those two items, for each such split of versions.

    Parameters:
        results: of tests or of commands. A result without an install is ignored.
    """
    cells: dict[str, None] = {}
    passes: dict[str, dict[str, bool]] = {}
    for result in results:
        failed = result.outcome in FAILURES
        if result.installs and (failed or result.outcome is Outcome.PASSED):
            cells[result.cell] = None
            passes.setdefault(name_without_cell(result), {})[result.cell] = not failed
    in_order = sorted(cells, key=by_version)
    splits: dict[_Split, list[str]] = {}
    for name, seen in passes.items():
        passing = tuple(cell for cell in in_order if seen.get(cell) is True)
        failing = tuple(cell for cell in in_order if seen.get(cell) is False)
        splits.setdefault((passing, failing), []).append(name)
    lines = []
    for (passing, failing), names in splits.items():
        if not passing and len(failing) > 1:
            lines.append(f"fails on {_listed(failing)} alike: {len(names)}")
    for (passing, failing), names in splits.items():
        if passing and failing:
            lines.append(f"passes on {_listed(passing)}, fails on {_listed(failing)}: {len(names)}")
            lines += [f"  {name}" for name in names]
    return lines


def name_without_cell(result: Result) -> str:
    """Return an item's name without the cell, which pytest's node ids contain, and without xdist's ``@CELL``."""
    if result.item.kind != "test":
        return result.item.id
    before, bracket, parameters = result.item.id.removesuffix(f"@{result.cell}").partition("[")
    cell = re.escape(result.cell)
    others = re.sub(rf"^{cell}-|-{cell}(?=-)|-{cell}$|^{cell}$", "", parameters.removesuffix("]"), count=1)
    return f"{before}{bracket}{others}]" if others else before


def by_version(cell: str) -> list[tuple[int, str]]:
    """Return a sort key that puts ``pg9.6`` before ``pg14``."""
    return [(int(part or -1), rest) for part, rest in re.findall(r"(\d*)(\D*)", cell.removeprefix("pg"))]


def _listed(cells: Sequence[str]) -> str:
    """Return a list of cells as text, such as ``14, 15 and 16``."""
    *others, last = [cell.removeprefix("pg").replace("-pg", "-") for cell in cells]
    return f"{', '.join(others)} and {last}" if others else last
