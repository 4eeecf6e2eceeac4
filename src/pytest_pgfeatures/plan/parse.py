"""Any EXPLAIN output to a plan."""

from __future__ import annotations

from typing import Any

from pytest_pgfeatures.errors import PlanParseError
from pytest_pgfeatures.plan.from_json import plan_from_decoded, plan_from_json
from pytest_pgfeatures.plan.from_text import plan_from_text
from pytest_pgfeatures.plan.plan import Plan
from pytest_pgfeatures.plan.text_source import json_texts
from pytest_pgfeatures.version import PgMajor, PgVersion, read_version


def parse_plan(
    source: str | list[Any] | dict[str, Any], *, version: PgMajor | PgVersion | str | int | None = None
) -> Plan:
    """Read what EXPLAIN printed, of any major from 9.3 on.

    Parameters:
        source: FORMAT JSON, as text or as psycopg already decoded it, or FORMAT TEXT, also within psql's
            table, auto_explain's log entries or a document that wrapped its lines.
        version: the server's major or release, if known. The plan remembers the major; without it, what depends
            on the major is inferred from the keys.

    Raises:
        PlanParseError: it is no EXPLAIN output; the message has the line and the reason.
        VersionError: ``version`` is neither a major nor a release.
    """
    major = None if version is None else read_version(version).major
    if not isinstance(source, str):
        return plan_from_decoded(source, major)
    if '"Node Type"' in source or source.lstrip()[:1] in ("[", "{"):
        return _from_any_json(source, major)
    return plan_from_text(source, major)


def _from_any_json(source: str, major: PgMajor | None) -> Plan:
    """The plan in JSON, bare or within psql's table or log entries."""
    problem: PlanParseError | None = None
    if source.lstrip()[:1] in ("[", "{"):
        try:
            return plan_from_json(source, major)
        except PlanParseError as error:
            problem = error
    try:
        plans = [plan_from_json(text, major) for text in json_texts(source)]
    except PlanParseError as error:
        raise problem or error from None
    if plans:
        return Plan([query for plan in plans for query in plan.queries], major)
    if problem is not None:
        raise problem
    return plan_from_text(source, major)
