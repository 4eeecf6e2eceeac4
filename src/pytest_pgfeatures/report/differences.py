"""Lists items that pass on some versions and fail on others, that is, the effects of an upgrade."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.results.model import FAILURES, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_pgfeatures.results.model import Result

_Split = tuple[tuple[str, ...], tuple[str, ...], bool]
"""The cells in which an item passes, those in which it fails, and whether it ran alone there."""


@dataclass(frozen=True, slots=True)
class Rerun:
    """The outcomes of an item that was repeated alone.

    Parameters:
        passed: whether it passed; None if it neither passed nor failed.
        command: runs it so.
    """

    passed: bool | None
    command: str


def differing(results: Iterable[Result]) -> dict[str, list[Result]]:
    """Return the results of items that passed in some cells and failed in others, by the items' names."""
    return {
        name: [seen[cell] for cell in sorted(seen, key=natural)]
        for name, seen in _by_name(results).items()
        if len({result.outcome is Outcome.PASSED for result in seen.values()}) > 1
    }


def reruns_of(results: Iterable[Result]) -> dict[str, dict[str, Rerun]]:
    """Return the outcomes of repeated items, by their names and the cells."""
    found: dict[str, dict[str, Rerun]] = {}
    for result in results:
        passed = result.outcome is Outcome.PASSED if result.ran else None
        rerun = Rerun(passed, f"pgfeatures run --pg {result.major} -- {result.item.id}")
        found.setdefault(name_without_cell(result), {})[result.cell] = rerun
    return found


def difference_lines(
    results: Iterable[Result],
    reruns: Mapping[str, Mapping[str, Rerun]] | None = None,
    *,
    alone: bool = False,
) -> list[str]:
    """Return ``passes on 14, fails on 18: 2`` and the names of those two items, for each such split of versions.

    These words are for items with the same outcome when they ran alone. For others the words are ``passed``
    and ``failed``: an item that ran before them can be the reason.

    Parameters:
        results: of tests or of commands. A result without an install is ignored.
        reruns: the outcomes of repetitions of items that differ, by name and cell.
        alone: whether each result is that of an item that ran alone.
    """
    passes = _by_name(results)
    in_order = sorted({cell for seen in passes.values() for cell in seen}, key=natural)
    alike: dict[tuple[str, ...], int] = {}
    splits: dict[_Split, list[str]] = {}
    depends: list[str] = []
    for name, seen in passes.items():
        passing = tuple(cell for cell in in_order if cell in seen and seen[cell].outcome is Outcome.PASSED)
        failing = tuple(cell for cell in in_order if cell in seen and cell not in passing)
        if not passing and len(failing) > 1:
            alike[failing] = alike.get(failing, 0) + 1
        if not passing or not failing:
            continue
        repetitions = (reruns or {}).get(name, {})
        other = [
            (cell, rerun) for cell, rerun in repetitions.items() if rerun.passed is not (cell in passing)
        ]
        if other:
            depends += [f"  {name}", *(_otherwise(cell, rerun, cell in passing) for cell, rerun in other)]
        else:
            splits.setdefault((passing, failing, alone or bool(repetitions)), []).append(name)
    lines = [f"fails on {_listed(failing)} alike: {count}" for failing, count in alike.items()]
    for (passing, failing, sure), names in splits.items():
        words = ("passes", "fails") if sure else ("passed", "failed")
        unsure = "" if sure or reruns is None else ", not run again alone"
        lines.append(
            f"{words[0]} on {_listed(passing)}, {words[1]} on {_listed(failing)}{unsure}: {len(names)}"
        )
        lines += [f"  {name}" for name in names]
    if depends:
        count = sum(not line.startswith("    ") for line in depends)
        lines += [f"depends on order or on what ran before: {count}", *depends]
    return lines


def _otherwise(cell: str, rerun: Rerun, passed: bool) -> str:
    """A line for an item whose repetition had a different outcome."""
    ended = {True: "passes", False: "fails", None: "neither passes nor fails"}[rerun.passed]
    return f"    {'passed' if passed else 'failed'} on {_listed([cell])}, {ended} alone: {rerun.command}"


def _by_name(results: Iterable[Result]) -> dict[str, dict[str, Result]]:
    """The results of items that passed or failed on a server, by the item's name and the cell."""
    found: dict[str, dict[str, Result]] = {}
    for result in results:
        if result.installs and (result.outcome in FAILURES or result.outcome is Outcome.PASSED):
            found.setdefault(name_without_cell(result), {})[result.cell] = result
    return found


def name_without_cell(result: Result) -> str:
    """Return an item's name without the cell, which pytest's node ids contain, and without xdist's ``@CELL``."""
    if result.item.kind != "test":
        return result.item.id
    before, bracket, parameters = result.item.id.removesuffix(f"@{result.cell}").partition("[")
    cell = re.escape(result.cell)
    others = re.sub(rf"^{cell}-|-{cell}(?=-)|-{cell}$|^{cell}$", "", parameters.removesuffix("]"), count=1)
    return f"{before}{bracket}{others}]" if others else before


def natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key that puts ``pg9.6`` before ``pg14``, and ``9.6/x`` before ``16/x``."""
    return [(int(part or -1), rest) for part, rest in re.findall(r"(\d*)(\D*)", name)]


def _listed(cells: Sequence[str]) -> str:
    """Return a list of cells as text, such as ``14, 15 and 16``."""
    *others, last = [cell.removeprefix("pg").replace("-pg", "-") for cell in cells]
    return f"{', '.join(others)} and {last}" if others else last
