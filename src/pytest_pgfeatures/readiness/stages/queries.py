"""The stage ``queries``: both servers parse every statement in the loaded schema."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from psycopg.sql import quote

from pytest_pgfeatures.readiness.causes import missing_in
from pytest_pgfeatures.readiness.model import Finding, NotLookedAt, StageReport
from pytest_pgfeatures.readiness.proofs import with_schema
from pytest_pgfeatures.readiness.remedies import lacking, remedy_of
from pytest_pgfeatures.readiness.servers.contrib import members_of_extensions
from pytest_pgfeatures.readiness.servers.literals import SYNTAX_ERROR
from pytest_pgfeatures.readiness.stages.places import excerpt_at, refused_at
from pytest_pgfeatures.sql import tokens
from pytest_pgfeatures.sqlstate import SqlState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.servers.loading import Refusal
    from pytest_pgfeatures.readiness.servers.parsing import Parsed
    from pytest_pgfeatures.readiness.servers.trial import Trial

_PREPARABLE = re.compile(r"\s*(?:select|insert|update|delete|merge|values|with|table)\b", re.IGNORECASE)
_SELECTING = re.compile(r"\s*(?:select|values|with|table)\b", re.IGNORECASE)
Shows = Literal["answer", "columns", "parameters", "calls"]
"""The kinds of observations that show a finding: whether the server accepts it, the result's columns, and so on."""
_AMBIGUOUS = frozenset({"42725", "42P18", "42P08"})


def look(trial: Trial) -> StageReport:
    """Have both servers parse every statement of the application, and compare their answers."""
    queries = trial.statements
    old, new = _with_places(trial, queries, *trial.parsed(queries))
    members = functools.cache(lambda: members_of_extensions(trial.sides[0].cluster))
    findings: list[Finding] = []
    not_looked_at: list[NotLookedAt] = []
    both = 0
    for query, before, after in zip(queries, old, new, strict=True):
        if _is_undecided(after) or (
            before.refusal and after.refusal and not _is_new_syntax_error(before, after)
        ):
            both += 1
            if (
                query.inside is None
            ):  # a statement in a function may use variables whose types are unknown here
                assert before.refusal
                place = query.place(before.refusal.position or 0)
                why = f"both refuse it: {_said(before)}{_of_extension(members, before.refusal)}"
                not_looked_at.append(NotLookedAt(f"{place.file}:{place.line}", why))
            continue
        findings += _compared(trial, query, before, after)
    accepted = sum(answer.refusal is None for answer in old)
    of_trees = sum(answer.has_tree for answer in old)
    counts = (
        ("statements", len(queries)),
        (f"accepted by {trial.pair.old.major}", accepted),
        (f"accepted by {trial.pair.new.major}", sum(answer.refusal is None for answer in new)),
        ("refused by both", both),
        ("with names from the parse tree", of_trees),
        ("with names from the text", len(queries) - of_trees),
    )
    return StageReport("queries", tuple(findings), counts, (), tuple(not_looked_at))


def _of_extension(members: Callable[[], Mapping[str, str]], refusal: Refusal) -> str:
    """The extension that has the objects that a statement names, if the schema does not create it.

    Parameters:
        members: the objects of the old install's extensions, each name with its extension.
    """
    missing = missing_in(refusal.message)
    extension = members().get(missing[1]) if missing else None
    if extension is None:
        return ""
    return f"; the extension {extension} has it: write CREATE EXTENSION {extension} into a file for --schema"


def _with_places(
    trial: Trial, queries: Sequence[Query], old: list[Parsed], new: list[Parsed]
) -> tuple[list[Parsed], list[Parsed]]:
    """The answers; with the places of names, where the servers chose different functions or types."""
    differ = [
        number
        for number, (before, after) in enumerate(zip(old, new, strict=True))
        if before.results != after.results and before.refusal is None and after.refusal is None
    ]
    if differ:
        places = trial.parsed([queries[number] for number in differ], with_places=True)
        for answers, known in zip((old, new), places, strict=True):
            for number, answer in zip(differ, known, strict=True):
                answers[number] = replace(answers[number], analyzed=answer.analyzed)
    return old, new


def _differs_at(before: Parsed, after: Parsed) -> int | None:
    """The index of the first function or operator that differs."""
    if before.analyzed is None or after.analyzed is None:
        return None
    one = before.analyzed.functions | before.analyzed.operators
    other = after.analyzed.functions | after.analyzed.operators
    return min((at for at in one.keys() & other.keys() if one[at] != other[at]), default=None)


def _is_undecided(answer: Parsed) -> bool:
    """Whether the server could not choose a function or type because a variable's type is unknown here."""
    return answer.guessed and answer.refusal is not None and answer.refusal.sqlstate in _AMBIGUOUS


def _is_new_syntax_error(before: Parsed, after: Parsed) -> bool:
    """Whether only the new server reports a syntax error. It then does not reach the part that the old server
    rejects."""
    assert before.refusal
    assert after.refusal
    return after.refusal.sqlstate == SYNTAX_ERROR != before.refusal.sqlstate


def _compared(trial: Trial, query: Query, before: Parsed, after: Parsed) -> list[Finding]:
    old, new = trial.pair.old, trial.pair.new
    if after.refusal is not None:
        return [
            _finding(
                trial,
                query,
                "error",
                "may affect" if lacking(after.refusal) or after.refusal.is_limit else "affects",
                f"{new} refuses it: {_said(after)}",
                remedy_of(after.refusal),
                after,
            )
        ]
    if before.refusal is not None:
        return [
            _finding(
                trial, query, "note", "may affect", f"{new} accepts what {old} refuses: {_said(before)}",
                "nothing, unless something relies on the error", before,
            )
        ]  # fmt: skip
    findings = []
    at = _differs_at(before, after)
    if _columns(query, before) != _columns(query, after):
        changes = _changes([f"{name} {type_}" for name, type_ in before.columns],
                        [f"{name} {type_}" for name, type_ in after.columns])  # fmt: skip
        findings.append(
            _finding(
                trial, query, "warning", "affects", f"its result has other columns on {new.major}: {changes}",
                "cast the column to the type that the application expects, or name it with AS",
                shows="columns", at=at,
            )
        )  # fmt: skip
    if before.parameters != after.parameters:
        changes = _changes([f"${n} {t}" for n, t in enumerate(before.parameters, 1)],
                        [f"${n} {t}" for n, t in enumerate(after.parameters, 1)])  # fmt: skip
        findings.append(
            _finding(
                trial, query, "warning", "affects", f"its parameters have other types on {new.major}: {changes}",
                "cast the parameter, as in $1::integer", shows="parameters", at=at,
            )
        )  # fmt: skip
    gone, come = _otherwise(before, after)
    # servers up to 15 print no tree of CALL
    if (gone or (come and before.resolved)) and not findings and not before.guessed:
        findings.append(
            _finding(
                trial, query, "warning", "may affect",
                f"it calls other functions or operators on {new.major}: {_changes_of(gone, come)}",
                "check whether they return the same results; cast the arguments to choose one",
                shows="calls", at=at,
            )
        )  # fmt: skip
    if more := [said for said in after.warnings if said not in before.warnings]:
        findings.append(
            _finding(
                trial, query, "warning", "may affect", f"{new} warns: {'; '.join(more)}", "follow the warning"
            )
        )
    return findings


def _columns(query: Query, answer: Parsed) -> list[tuple[str, str]]:
    """The columns of the result, without their names for statements in a function, which ignore the names."""
    return [("" if query.inside else name, type_) for name, type_ in answer.columns]


def _changes(before: Sequence[str], after: Sequence[str]) -> str:
    if len(before) != len(after):
        gone = [each for each in before if each not in after]
        come = [each for each in after if each not in before]
        parts = [f"{what} {', '.join(some)}" for what, some in (("gone", gone), ("new", come)) if some]
        return "; ".join(parts)
    return ", ".join(f"{old} -> {new}" for old, new in zip(before, after, strict=True) if old != new)


def _otherwise(before: Parsed, after: Parsed) -> tuple[list[str], list[str]]:
    """The functions and operators that only one server chose. Nothing is reported if they give the same types
    with the same volatility, unless one is the application's; nor if they have more arguments on the new
    server, because the statement leaves these to their defaults."""
    gone, come = before.results - after.results, after.results - before.results
    same = sorted(result for _, result in gone) == sorted(result for _, result in come)
    if same and not any("." in name.partition("(")[0] for name, _ in gone):
        return [], []
    old_names, new_names = sorted(before.resolved - after.resolved), sorted(after.resolved - before.resolved)
    for old in tuple(old_names):
        longer = next((new for new in new_names if new.startswith(f"{old.removesuffix(')')},")), None)
        if longer is not None:
            old_names.remove(old)
            new_names.remove(longer)
    return old_names, new_names


def _changes_of(gone: Sequence[str], come: Sequence[str]) -> str:
    parts = [f"{what} {', '.join(some)}" for what, some in (("no longer", gone), ("now", come)) if some]
    return "; ".join(parts)


def _finding(
    trial: Trial,
    query: Query,
    severity: str,
    certainty: str,
    message: str,
    remedy: str,
    answer: Parsed | None = None,
    *,
    shows: Shows = "answer",
    at: int | None = None,
) -> Finding:
    position = refused_at(query.sql, answer.refusal) if answer and answer.refusal else at
    begin = position if position is not None else len(query.sql) - len(query.sql.lstrip())
    return Finding(
        "queries",
        severity,  # type: ignore[arg-type]
        certainty,  # type: ignore[arg-type]
        message,
        remedy,
        place=query.place(begin),
        object=query.inside,
        excerpt=excerpt_at(query.sql, position),
        proof=_proof(trial, query, shows),
        sqlstate=answer.refusal.sqlstate if answer and answer.refusal else None,
    )


def _proof(trial: Trial, query: Query, shows: Shows) -> str:
    """A command that shows the finding; empty if no single statement does: one with variables of its
    function, or with parameters where only the parse tree shows the finding."""
    if query.variables:
        return ""

    def proof(statements: str) -> str:
        first = [f"SELECT set_config({quote(name)}, {quote(value)}, false)" for name, value in query.settings]
        first += [each.rstrip("; ") for each in query.temporary or ()]
        return with_schema(trial, "; ".join([*first, statements]))

    sql = query.sql.strip().rstrip(";")
    sql = " ".join(sql.split()) if "--" not in sql and "'" not in sql else sql
    if shows == "answer":
        return proof(f"PREPARE statement AS {sql}" if _PREPARABLE.match(sql) else sql)
    if shows == "parameters":
        return proof(f"PREPARE statement AS {sql}; SELECT parameter_types FROM pg_prepared_statements")
    if any(token.kind == "parameter" for token in tokens(sql)):
        return ""
    if shows == "columns":
        return proof(sql)
    shown = "SET search_path = ''; SELECT pg_get_viewdef('pg_temp.made'::regclass)"
    return proof(f"CREATE TEMPORARY VIEW made AS {sql}; {shown}") if _SELECTING.match(sql) else ""


def _said(answer: Parsed) -> str:
    assert answer.refusal is not None
    return f"{SqlState(answer.refusal.sqlstate)}: {answer.refusal.message}"
