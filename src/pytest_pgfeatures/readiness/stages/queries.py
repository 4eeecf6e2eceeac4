"""The stage ``queries``: both servers parse every statement in the loaded schema."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from psycopg.sql import quote

from pytest_pgfeatures.readiness.advice import extension_with, judged, proof_of
from pytest_pgfeatures.readiness.guards import written_in
from pytest_pgfeatures.readiness.inputs.placeholders import NAME_FILLED_IN
from pytest_pgfeatures.readiness.inputs.texts import has_expression
from pytest_pgfeatures.readiness.model import Certainty, Finding, Found, NotLookedAt, Place, Query
from pytest_pgfeatures.readiness.running.effects import PLANNED, READING, begins_with
from pytest_pgfeatures.readiness.servers.analyzed import NO_CALL, NO_NAMES
from pytest_pgfeatures.readiness.servers.parsing import Parsed
from pytest_pgfeatures.readiness.servers.questions import is_refused_by_both, said_once
from pytest_pgfeatures.readiness.servers.trial import Trial
from pytest_pgfeatures.readiness.stages.places import created_by, shown_at, shown_refused
from pytest_pgfeatures.readiness.statements.grammar import NUMBERS, short
from pytest_pgfeatures.readiness.statements.trees import Tree
from pytest_pgfeatures.readiness.wording import parts
from pytest_pgfeatures.sql import tokens

Shows = Literal["answer", "columns", "parameters", "calls"]
"""The proof of a finding: the server's answer, the result's columns, the parameters' types, or what it calls."""
_AMBIGUOUS = frozenset({"42725", "42P18", "42P08"})
_ALIKE = {"smallint": "integer", "bigint": "integer", "character varying": "text"}
_OF_STATE = frozenset({"25001", "2BP01", "42701", "42P06", "42P07", "42710", "42723"})
"""Errors about a definition that can't be run and rolled back, and about objects that exist: the other server may
have refused to create them."""
_AS_TEXT = {"unknown": "text", "name": "text"}  # to a driver
_WIDER = {"bigint": ("integer", "smallint"), "integer": ("smallint",)}
_NO_TYPE = "could not determine polymorphic type"


def look(trial: Trial) -> Iterator[Found]:
    """Have both servers parse every statement of the application, and compare their answers."""
    queries, (old, new) = trial.statements, trial.answers
    by_both: list[tuple[Place, str]] = []
    both = 0
    for query, before, after in zip(queries, old, new, strict=True):
        if not _is_refused_by_both(query, before, after):
            if after.refusal or before != after:
                yield from _compared(trial, query, before, after)
            continue
        both += after.refusal is not None
        if query.inside is None and before.refusal:  # the types of a function's variables are unknown here
            which = "both refuse" if after.refusal else f"{trial.pair.old.major} refuses"
            why = f"{which} it: {before.refusal.said}"
            if extension := extension_with(trial, before.refusal):  # the schema does not create it
                create = f"write CREATE EXTENSION {extension} into a file for --schema"
                why += f"; the extension {extension} has it: {create}"
            by_both.append((query.place(before.refusal.position or 0), why))
    yield "statements", len(queries)
    for version, answers in zip(trial.pair, (old, new), strict=True):
        yield f"accepted by {version.major}", sum(answer.refusal is None for answer in answers)
    of_trees = sum(answer.names is not NO_NAMES for answer in old)
    yield "refused by both", both
    yield "with names from the parse tree", of_trees
    yield "with names from the text", len(queries) - of_trees
    yield from itertools.starmap(NotLookedAt, said_once(by_both))


def _is_refused_by_both(query: Query, before: Parsed, after: Parsed) -> bool:
    """Whether both servers refuse a statement, or one only because the type of a variable is unknown here, or what
    a template writes."""
    old, new = before.refusal, after.refusal
    if new and after.guessed and new.sqlstate in _AMBIGUOUS:
        return True
    if new and new.sqlstate.startswith("22") and has_expression(query.sql):
        return True
    if old and (new or old).sqlstate in _OF_STATE:
        return True
    if old and new is None and query.inside is not None:
        lacks_type = old.sqlstate in _AMBIGUOUS or old.message.startswith(_NO_TYPE)
        return lacks_type and (before.guessed or has_parameters(query.sql))
    return is_refused_by_both(query.sql, old, new)


def _compared(trial: Trial, query: Query, before: Parsed, after: Parsed) -> Iterator[Finding]:
    new = trial.pair.new
    if refusal := after.refusal or before.refusal:
        creates = query.inside is None and not refusal.is_limit
        severity, certainty, said, advice = judged(trial, before.refusal, after.refusal)
        if refusal.sqlstate == "42501" and NAME_FILLED_IN.search(query.sql):
            certainty = "may affect"  # the privileges of a role that a program names are unknown
        yield Finding(
            "queries", severity, certainty, said, advice,
            object=created_by(query) if creates else query.inside, proof=_proof(trial, query, "answer"),
            sqlstate=refusal.sqlstate, **shown_refused(query, refusal),
        )  # fmt: skip
        return

    one, other = before.names, after.names
    others = (at for at, each in other.calls.items() if each != one.calls.get(at))
    # the first one that returns another type, if one does
    differ = min(others, key=lambda at: (one.results.get(at) == other.results.get(at), at), default=None)

    def warning(shows: Shows, certainty: Certainty, said: str, advice: str) -> Finding:
        return Finding(
            "queries", "warning", certainty, said, advice, object=query.inside,
            proof=_proof(trial, query, shows), **shown_at(query, differ if shows != "answer" else None),
        )  # fmt: skip

    tree, is_named = Tree(query), _reads_names(query, before, after)
    if columns := _changes(*(_columns(tree, each, before, is_named=is_named) for each in (before, after))):
        said = f"its result has other columns on {new.major}: {columns}"
        advice = "cast the column to the type that the application expects, or name it with AS"
        yield warning("columns", "may affect" if _has_all(before, after) else "affects", said, advice)
    olds, news = ([_AS_TEXT.get(type_, type_) for type_ in each.parameters] for each in (before, after))
    pairs = itertools.zip_longest(olds[: len(news)], news)
    news = [one if one == "double precision" and other == "numeric" else other for one, other in pairs]
    types = ([f"${n} {type_}" for n, type_ in enumerate(each, 1)] for each in (olds, news))
    if parameters := _changes(*types):
        said = f"its parameters have other types on {new.major}: {parameters}"
        old, new_ = ([_ALIKE.get(type_, type_) for type_ in each.parameters] for each in (before, after))
        advice = "cast the parameter, as in $1::integer"
        yield warning("parameters", "may affect" if old == new_ else "affects", said, advice)
    chosen = list(_otherwise(tree, before, after))
    # servers up to 15 print an empty tree of CALL
    if chosen and before.names != NO_NAMES and not (columns or parameters or before.guessed):
        gone, come = (dict.fromkeys(filter(None, some)) for some in zip(*chosen, strict=True))
        calls = parts("no longer", list(gone), "now", list(come))
        said = f"it calls other functions or operators on {new.major}: {calls}"
        advice = "check whether they return the same results; cast the arguments to choose one"
        yield warning("calls", "may affect", said, advice)
    if more := [said for said in after.warnings if said not in before.warnings]:
        yield warning("answer", "may affect", f"{new} warns: {'; '.join(more)}", "follow the warning")


def _reads_names(query: Query, before: Parsed, after: Parsed) -> bool:
    """Whether something may read the result's columns by name: nothing does in functions and of expressions, and no
    program that has none of the names that change."""
    if query.inside or query.kind == "expression":
        return False
    both = zip(before.columns, after.columns, strict=False)
    gone = [re.compile(rf"\b{re.escape(old)}\b") for (old, _), (new, _) in both if old != new]
    is_program = query.kind == "source code" and len(before.columns) == len(after.columns) and gone
    return not is_program or any(each.search(written_in(query.file)) for each in gone)


def _columns(tree: Tree, answer: Parsed, before: Parsed, *, is_named: bool) -> list[str]:
    """The columns of the result, with their types before, where whatever reads these reads the others, too: none,
    or wider integers; or any numbers. Up to 9.6, constants have the type unknown, which later becomes text."""
    earlier = before.columns if len(before.columns) == len(answer.columns) else answer.columns
    pairs = zip(earlier, answer.columns, strict=True)
    types = [old if old == "void" or new in _WIDER.get(old, ()) else new for (_, old), (_, new) in pairs]
    types = ["number" if tree.fills_numbers and short(each) in NUMBERS else each for each in types]
    known = zip(answer.columns, (_AS_TEXT.get(type_, type_) for type_ in types), strict=True)
    return [f"{name} {type_}" if is_named else type_ for (name, _), type_ in known]


def _has_all(before: Parsed, after: Parsed) -> bool:
    """Whether the result has columns of all former types at their places, or all former columns and more, as
    integers if they were integers, and as texts if they were texts."""
    old, new = ([(name, _ALIKE.get(of, of)) for name, of in each.columns] for each in (before, after))
    return [type_ for _, type_ in old] == [type_ for _, type_ in new] or {*old} <= {*new}


def _changes(before: Sequence[str], after: Sequence[str]) -> str:
    if len(before) == len(after):
        return ", ".join(f"{old} -> {new}" for old, new in zip(before, after, strict=True) if old != new)
    gone = [each for each in before if each not in after]
    return parts("gone", gone, "new", [each for each in after if each not in before])


def _otherwise(tree: Tree, before: Parsed, after: Parsed) -> Iterator[tuple[str, str]]:
    """The functions and operators that the servers choose differently, by place. PostgreSQL's own ones with the
    same type and volatility are alike, and so are those whose value the statement compares or casts. A keyword may
    call a function on one server alone."""
    olds, news = before.names, after.names
    for at in sorted(olds.calls.keys() | news.calls.keys()):
        old, new = olds.calls.get(at, NO_CALL), news.calls.get(at, NO_CALL)
        is_alike = olds.results.get(at) in ("void", news.results.get(at)) and old.volatility == new.volatility
        if old.signature != new.signature or not is_alike:
            is_alike = is_alike or NO_CALL in (old, new) or tree.is_absorbed(at, olds.results, news.results)
            if not is_alike or old.is_own or new.is_own:
                yield old.signature, new.signature


def has_parameters(sql: str) -> bool:
    """Whether a statement has ``$1`` or others."""
    return any(token.kind == "parameter" for token in tokens(sql))


def _proof(trial: Trial, query: Query, shows: Shows) -> str:
    """A command that shows the finding; empty if variables of a function, or parameters, keep it from that."""
    if query.variables:
        return ""
    sql = query.sql.strip().rstrip(";")
    sql = " ".join(sql.split()) if "--" not in sql and "'" not in sql else sql
    if shows == "answer":
        sql = f"PREPARE statement AS {sql}" if begins_with(PLANNED, sql) else sql
    elif shows == "parameters":
        sql = f"PREPARE statement AS {sql}; SELECT parameter_types FROM pg_prepared_statements"
    elif has_parameters(sql) or (shows == "calls" and not begins_with(READING, sql)):
        return ""
    elif shows == "calls":
        shown = "SET search_path = ''; SELECT pg_get_viewdef('pg_temp.made'::regclass)"
        sql = f"CREATE TEMPORARY VIEW made AS {sql}; {shown}"
    first = [f"SELECT set_config({quote(name)}, {quote(value)}, false)" for name, value in query.settings]
    first += [each.rstrip("; ") for each in query.temporary or ()]
    return proof_of(trial, "; ".join([*first, sql]), trial.inputs.schema)
