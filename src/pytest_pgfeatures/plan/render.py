"""A plan as text EXPLAIN prints it, for any major."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.plan.to_text import explain_text
from pytest_pgfeatures.version import PgMajor, PgVersion, read_version

if TYPE_CHECKING:
    from pytest_pgfeatures.plan.plan import Plan


def render(plan: Plan, *, version: PgMajor | PgVersion | str | int | None = None) -> str:
    """Return the text that the server prints for ``plan`` with the same options.

    Parameters:
        plan: read from FORMAT JSON or FORMAT TEXT.
        version: the server's major or release. Default: ``plan.major``; if that is None, what the plan's keys show.

    Returns:
        Lines without a newline at the end, as psql shows them between its header and its row count.
    """
    known = plan.major if version is None else read_version(version).major
    return explain_text(plan.queries, None if known is None else str(known), plan.written_by)
