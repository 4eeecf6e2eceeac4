"""Compare the objects that the two servers created from the schema, by their catalogs."""

from __future__ import annotations

import contextlib
import functools
from dataclasses import replace
from typing import TYPE_CHECKING

import psycopg

from pytest_pgfeatures.readiness.model import Finding, NotLookedAt, StageReport
from pytest_pgfeatures.readiness.proofs import with_schema
from pytest_pgfeatures.readiness.stages.object_questions import QUESTIONS, ObjectQuestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pytest_pgfeatures.readiness.servers.side import Side
    from pytest_pgfeatures.readiness.servers.trial import Trial
    from pytest_pgfeatures.readiness.stages.places import Shown

    Properties = dict[str, str | None]
    Objects = dict[str, tuple[str, Properties]]

_SPELLED = frozenset({"view", "rule", "constraint", "index", "trigger", "policy"})
"""Kinds of objects whose definitions a server rewrites in its own form. A difference in form alone doesn't
count."""
_LONGEST = 200
_MANY = 5
"""If at least this number of objects differ alike, they become one finding."""
_NAMED = 3
"""The number of other objects that such a finding names."""


def compare_created(trial: Trial, definitions: Mapping[str, Shown]) -> StageReport:
    """Compare the objects of the servers. An object is not reported again if one server rejected its statement."""
    with contextlib.ExitStack() as stack:
        connection = functools.cache(lambda: stack.enter_context(trial.sides[1].connect()))
        return _compared(trial, definitions, connection)


def _compared(
    trial: Trial, definitions: Mapping[str, Shown], connect: Callable[[], psycopg.Connection]
) -> StageReport:
    """The comparison.

    Parameters:
        connect: connects to the new server, for the first definition to rewrite.
    """
    old, new = trial.both(_objects)
    findings: list[Finding] = []
    not_compared: list[NotLookedAt] = []
    count = 0
    for question in QUESTIONS:
        kind = question.kind
        if kind not in old or kind not in new:
            without = trial.pair.old if kind not in old else trial.pair.new
            if old.get(kind) or new.get(kind):
                not_compared.append(
                    NotLookedAt(f"schema: every {kind}", f"{without.major} has no such catalog")
                )
            continue
        for name in sorted(old[kind].keys() & new[kind].keys()):
            count += 1
            owner, before = old[kind][name]
            after = new[kind][name][1]
            differing = [
                each
                for each in before
                if each.strip() == each and before[each] != after.get(each)
                and before[each] is not None and after.get(each) is not None
            ]  # fmt: skip
            if (
                kind in _SPELLED
                and "definition" in differing
                and _is_spelling(connect(), kind, name, before, after)
            ):
                differing.remove("definition")
            if differing:
                shown = definitions.get(owner) or definitions.get(before.get(" of") or "") or {}
                findings.append(_finding(trial, question, name, differing, before, after, shown))
    counts = (("objects compared", count),)
    return StageReport("schema", tuple(_together(findings)), counts, not_looked_at=tuple(not_compared))


def _together(findings: Sequence[Finding]) -> Iterator[Finding]:
    """The findings. Of many equal ones about objects of one kind, only the first, which names some of the
    others."""
    alike: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        kind = (finding.object or "").partition(" ")[0]
        alike.setdefault((kind, finding.message), []).append(finding)
    for some in alike.values():
        if len(some) < _MANY:
            yield from some
            continue
        some.sort(key=lambda each: (each.place is None, each.place and (each.place.file, each.place.line)))
        others = [(each.object or "").partition(" ")[2] for each in some[1:]]
        more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
        yield replace(some[0], message=f"{some[0].message}; so do {', '.join(others[:_NAMED])}{more}")


def _finding(
    trial: Trial,
    question: ObjectQuestion,
    name: str,
    differing: list[str],
    before: Properties,
    after: Properties,
    shown: Shown,
) -> Finding:
    changes = "; ".join(_change(each, before[each] or "", after[each] or "") for each in differing)
    return Finding(
        "schema", "warning", "may affect",
        f"it differs on {trial.pair.new.major}: {changes}",
        "check whether the application relies on it; set it in the schema to get the same on both versions",
        object=f"{question.kind} {name}",
        proof=_proof(trial, question, name, differing),
        **shown,
    )  # fmt: skip


def _proof(trial: Trial, question: ObjectQuestion, name: str, differing: Sequence[str]) -> str:
    """A command that queries the differing properties on both versions."""
    sql = question.only(differing, psycopg.sql.quote(name))
    return with_schema(trial, f"SET search_path = ''; {sql}")


def _change(property_: str, before: str, after: str) -> str:
    """The two values of a property; for lists, the removed and the added entries."""
    if property_ == "privileges":
        old, new = (set(value.split(", ")) - {"none"} for value in (before, after))
        gone, come = ", ".join(sorted(old - new)), ", ".join(sorted(new - old))
        return f"privileges: {'; '.join(filter(None, (gone and f'without {gone}', come and f'also {come}')))}"
    return f"{property_}: {_cut(before)} -> {_cut(after)}"


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _objects(side: Side) -> dict[str, Objects]:
    with side.connect() as connection:
        connection.execute("SET search_path = ''")
        return {
            question.kind: _asked(connection, question.sql)
            for question in QUESTIONS
            if side.install.version in question.versions
        }


def _asked(connection: psycopg.Connection, query: str) -> Objects:
    cursor = connection.execute(query.encode())
    names = [column.name for column in cursor.description or ()][2:]
    return {
        name: (owner, dict(zip(names, map(_text, values), strict=True))) for name, owner, *values in cursor
    }


def _text(value: object) -> str | None:
    if value is None:
        return None
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _is_spelling(
    connection: psycopg.Connection, kind: str, name: str, before: Properties, after: Properties
) -> bool:
    """Whether the two definitions differ only in form: the new server rewrites the old server's one to its own."""
    respelled = _respelled(connection, kind, name, before["definition"] or "")
    if respelled is None:
        return False
    new = after["definition"] or ""
    # a server may write a definition in a form that it then reads differently: NULL in UNION gets a type, and
    # so a name
    return _plain(respelled) == _plain(new) or _plain(respelled) == _plain(
        _respelled(connection, kind, name, new) or new
    )


def _plain(text: str) -> str:
    return " ".join(text.split())


def _respelled(connection: psycopg.Connection, kind: str, name: str, definition: str) -> str | None:
    """The old server's definition in the form in which the new server writes it; None if this can't be tested."""
    statements = "; ".join(("SET LOCAL search_path = ''", *_trial_of(kind, name, definition)))
    try:
        with connection.transaction(force_rollback=True):
            cursor = connection.execute(statements.encode())
            while cursor.nextset():
                pass
            row = cursor.fetchone() if cursor.description else None
    except psycopg.Error:
        if connection.closed:
            raise
        return None
    return str(row[0]) if row else None


def _trial_of(kind: str, name: str, definition: str) -> tuple[str, ...]:
    """The statements that create an object from a definition; the last one shows how the server writes it."""
    if kind == "view":
        body = definition.rstrip().rstrip(";")
        return (
            f"CREATE TEMPORARY VIEW pgfeatures_respelled AS {body}",
            "SELECT pg_get_viewdef('pg_temp.pgfeatures_respelled'::regclass)",
        )
    if kind == "constraint" and name.count(".") == 2:
        schema, table, constraint = (f'"{part}"' for part in name.split("."))
        return (
            f"ALTER TABLE {schema}.{table} DROP CONSTRAINT {constraint}",
            f"ALTER TABLE {schema}.{table} ADD CONSTRAINT {constraint} {definition}",
            f"SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = '{constraint[1:-1]}'"
            f" AND conrelid = '{schema}.{table}'::regclass",
        )
    if kind == "index" and name.count(".") == 1:
        schema, index = (f'"{part}"' for part in name.split("."))
        return (
            f"DROP INDEX {schema}.{index}",
            definition,
            f"SELECT pg_get_indexdef('{schema}.{index}'::regclass)",
        )
    return ()
