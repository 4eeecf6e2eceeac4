"""EXPLAIN output of any form to a plan."""

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
    """Read the EXPLAIN output of any major from 9.3 on.

    Parameters:
        source: FORMAT JSON, as text or as psycopg decodes it, or FORMAT TEXT: as EXPLAIN prints it, in psql's
            table, in auto_explain's log entries, or in a document that wrapped its lines.
        version: the server's major or release, if known; its major becomes ``plan.major``. If it isn't given,
            :func:`render` infers the major from the keys.

    Raises:
        PlanParseError: it isn't EXPLAIN output; the message has the line and the reason.
        VersionError: ``version`` is neither a major nor a release.
    """
    major = None if version is None else read_version(version).major
    if not isinstance(source, str):
        return plan_from_decoded(source, major)
    if '"Node Type"' in source or source.lstrip()[:1] in ("[", "{"):
        return _from_any_json(source, major)
    return plan_from_text(source, major)


def _from_any_json(source: str, major: PgMajor | None) -> Plan:
    """The plan in JSON, also in psql's table or in log entries."""
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
