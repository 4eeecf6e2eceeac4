"""The results and changes of both servers for one statement, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.answers.side_by_side import side_by_side
from pytest_pgfeatures.readiness.model import SideBySide
from pytest_pgfeatures.readiness.running.judge import counted, masked

if TYPE_CHECKING:
    from collections.abc import Collection

    from pytest_pgfeatures.readiness.running.execute import Ran


def comparison_of(
    sql: str, old: Ran, new: Ran, names: tuple[str, str], *, without: Collection[str], ordered: bool | None
) -> SideBySide:
    """The answers of both servers, and the tables that they changed differently.

    Parameters:
        names: the two versions.
        without: columns that change from run to run.
        ordered: the parameter of :func:`pytest_pgfeatures.compare`.
    """
    one, other = (masked(each.answer, set(without)) for each in (old, new))
    rows = side_by_side(sql, one, other, ordered)
    ours, theirs = dict(old.changed), dict(new.changed)
    for table in sorted(ours.keys() | theirs.keys()):
        before, after = (f"{table}: {counted(each.get(table))}" for each in (ours, theirs))
        if before != after:
            rows = (*rows, (before, "|", after))
    return SideBySide("answers", names, rows)
