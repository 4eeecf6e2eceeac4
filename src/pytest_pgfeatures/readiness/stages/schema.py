"""The stage ``schema``: both servers load it, the created objects are compared, and the bodies of functions are
checked, because a dump disables this while it is loaded: by the validator of each language, and for PL/pgSQL by the
extension plpgsql_check, if an install has it.

https://www.postgresql.org/docs/current/plhandler.html
https://github.com/okbob/plpgsql_check: it knows the types of variables and follows records, and it reads statements
that EXECUTE concatenates from constants.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import psycopg
from psycopg.sql import quote

from pytest_pgfeatures.readiness.advice import judged, lacking, proof_of, proof_of_commands, remedy_of
from pytest_pgfeatures.readiness.causes import missing_objects
from pytest_pgfeatures.readiness.inputs.sql_files import Loadable
from pytest_pgfeatures.readiness.model import Finding, Found, NotLookedAt, Place, line_begins
from pytest_pgfeatures.readiness.names import altered_in
from pytest_pgfeatures.readiness.servers.loading import Refusal
from pytest_pgfeatures.readiness.servers.questions import is_refused_by_both, said_once
from pytest_pgfeatures.readiness.servers.side import Side
from pytest_pgfeatures.readiness.servers.trial import Trial
from pytest_pgfeatures.readiness.stages.created_objects import compare_created, own
from pytest_pgfeatures.readiness.stages.places import Shown, created_by, excerpt_at, shown_at, shown_refused
from pytest_pgfeatures.readiness.statements.embedded import routine_of
from pytest_pgfeatures.readiness.wording import first_of
from pytest_pgfeatures.scripts.privileges import NOT_ALLOWED
from pytest_pgfeatures.sql import tokens

_VARIABLE = re.compile(r":[\"']?([A-Za-z_]\w*)")
_BY_ROLE = re.compile("permission denied|must (?:be|have) ")
"""Output of a command that fails because of the role that runs it; a proof is run by a superuser."""
_SHOWN = 20  # statements that a problem lists


def look(trial: Trial) -> Iterator[Found]:
    """Load the schema into both servers, and compare."""
    answers = _answers(trial)
    by_one = [(sent, old, new) for sent, old, new, both in answers if (old or new) and not both]
    yield "statements", len(answers)
    yield "refused by both", sum(both for *_, both in answers)
    yield from (_finding(trial, *each) for each in by_one)
    yield from _problems(trial)
    said_old, said_new = trial.set_up
    if said_old is not None:
        yield f"on {trial.pair.old}: {said_old}"
    elif said_new is not None:
        first, *rest = said_new.split("\n")
        yield Finding(
            "schema", "error", "affects", f"on {trial.pair.new}, {first}; on {trial.pair.old} it succeeded",
            "see the last lines of its output", excerpt=rest[-1] if rest else "", object="\n".join(rest) or None,
            proof=proof_of_commands(trial) if trial.trusted or _BY_ROLE.search(said_new) is None else "",
        )  # fmt: skip
    altered = frozenset(each for sent, *both in by_one if None in both for each in altered_in(sent.query.sql))
    yield from _look_at_bodies(trial)
    yield from compare_created(trial, altered)


def _answers(trial: Trial) -> list[tuple[Loadable, Refusal | None, Refusal | None, bool]]:
    """The statements, each with the answers of the old and the new server, and whether both refuse it."""
    said = zip(trial.inputs.loaded, *(side.refusals for side in trial.loaded), strict=True)
    return [(sent, old, new, is_refused_by_both(sent.query.sql, old, new)) for sent, old, new in said]


def _finding(trial: Trial, sent: Loadable, old: Refusal | None, new: Refusal | None) -> Finding:
    """The finding about a statement that one of the servers refuses."""
    refusal = new or old
    assert refusal is not None
    # a superuser, who has more time and memory, may not be refused
    is_proved = not (refusal.is_limit or (refusal.sqlstate == NOT_ALLOWED and not trial.trusted))
    first = next(token.start for token in tokens(sent.query.sql) if token.significant)
    loaded = trial.inputs.loaded[: trial.inputs.loaded.index(sent) + 1]
    return Finding(
        "schema", *judged(trial, old, new),
        object=None if refusal.is_limit else created_by(sent.query), sqlstate=refusal.sqlstate,
        proof=proof_of(trial, "", loaded, only=sent.query.place(first).where) if is_proved else "",
        **_shown(sent, refusal),
    )  # fmt: skip


def _shown(sent: Loadable, refusal: Refusal) -> Shown:
    """The place of an error: in the statement, or in the data of COPY."""
    if refusal.row is None or not sent.data_line:
        return shown_refused(sent.query, refusal)
    row = "".join(sent.data.split("\n")[refusal.row - 1 : refusal.row])
    return {"place": Place(sent.query.file, sent.data_line + refusal.row - 1), "excerpt": row}


def refused_by_both(trial: Trial) -> Iterator[str]:
    """Statements of the schema and the data that both servers refuse, as lines for the user, one for each reason.
    Of an object that one of them would create, the reason names that one."""
    refused = [(sent, old) for sent, old, _, by_both in _answers(trial) if old and by_both]
    creating = {created_by(sent.query): sent.query.place() for sent, _ in reversed(refused)}

    def why(refusal: Refusal) -> str:
        if refusal.timed_out:
            return f"it had not finished after {trial.timeout:.0f} s"
        place = next((creating[each] for each in missing_objects(refusal.message) if each in creating), None)
        return refusal.said + (f", as {place.where} is refused" if place else "")

    lines = said_once((_shown(sent, old)["place"], why(old)) for sent, old in refused)
    are = "statement of the schema is" if len(refused) == 1 else "statements of the schema are"
    yield from _listed(f"{len(refused)} {are} refused by {trial.pair.old}, too", lines)


def _listed(label: str, said: Iterable[tuple[str, str]]) -> Iterator[str]:
    """A problem with the places of its statements and what to say of each; none without statements."""
    if lines := [f"  {place}: {each}" for place, each in said]:
        yield from (f"{label}:", *first_of(lines, _SHOWN, "  and {} more"))


def _problems(trial: Trial) -> Iterator[str]:
    """The problems with loading the schema, psql's variables without a value, and what the installs lack."""
    if roles := sorted({role for loaded in trial.loaded for role in loaded.roles}):
        yield f"roles that the schema names and does not create were created: {', '.join(roles)}"
    answers = _answers(trial)
    defined = {number for loaded in trial.loaded for number in loaded.defined}
    ran = [sent.query for number, (sent, *_) in enumerate(answers) if number in defined]
    refused = [
        sent.query
        for sent, old, new, _ in answers
        if not trial.trusted and NOT_ALLOWED in (each and each.sqlstate for each in (old, new))
    ]
    for why, queries in (
        ("statements were run as superuser, as they need one and run no code of the schema", ran),
        ("statements may need a superuser, and --trust runs them as one", refused),
    ):
        lines = ((query.place().where, excerpt_at(query.sql)) for query in queries)
        yield from _listed(f"{len(queries)} {why}", lines)
    yield from refused_by_both(trial)
    placed = ((sent.query.sql, old.position) for sent, old, *_ in answers if old and old.position is not None)
    found = (_VARIABLE.match(*each) for each in placed)
    if variables := list(dict.fromkeys(each[1] for each in found if each)):
        advice = f"write \\set {variables[0]} VALUE into a file, and name that file first in --schema"
        yield f"psql's variables without a value: {', '.join(variables)}; {advice}"
    for version, loaded in zip(trial.pair, trial.loaded, strict=True):
        if names := dict.fromkeys(name for each in loaded.refusals if each and (name := lacking(each))):
            advice = "what depends on it is not looked at; name an install that has it, such as path:DIR"
            yield f"the install of {version} lacks {', '.join(names)}: {advice}"


_FUNCTIONS = f"""
    SELECT p.oid::regprocedure::text, p.proname, p.prosrc, v.oid::regproc::text, l.lanname
      FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang JOIN pg_proc v ON v.oid = l.lanvalidator
     WHERE {own("p.oid")} AND l.lanname NOT IN ('c', 'internal')
     ORDER BY 1
"""
_LINE = re.compile(r"\bline (\d+)")
_NAME = "plpgsql_check"
_OWN_SCHEMA = "pgfeatures_plpgsql_check"
_HAS = f"SELECT 1 FROM pg_available_extensions WHERE name = '{_NAME}'"
_CREATED = f"SELECT extversion, extnamespace::regnamespace::text FROM pg_extension WHERE extname = '{_NAME}'"
_CREATE = f"""
    LOAD 'plpgsql'; CREATE SCHEMA {_OWN_SCHEMA}; CREATE EXTENSION {_NAME} SCHEMA {_OWN_SCHEMA};
    GRANT USAGE ON SCHEMA {_OWN_SCHEMA} TO PUBLIC
"""
_CHECK = """
    SELECT lineno, sqlstate, message, hint, position, query, coalesce(tgrelid, 0)::regclass::text
      FROM (SELECT %s::regprocedure) AS f (oid) LEFT JOIN pg_trigger t ON tgfoid = f.oid AND NOT tgisinternal,
           {}.plpgsql_check_function_tb(f.oid, coalesce(tgrelid, 0)::regclass, fatal_errors := false,
           other_warnings := false, extra_warnings := false, performance_warnings := false,
           oldtable := (to_jsonb(t)->>'tgoldtable')::name, newtable := (to_jsonb(t)->>'tgnewtable')::name)
     WHERE level = 'error' ORDER BY tgrelid
"""
"""A trigger's function is checked with each table that has the trigger."""
_QUOTED = re.compile(r'"([^"]+)"')


class Function(NamedTuple):
    """A function of the application."""

    name: str  # with the types of its arguments
    plain: str  # the name alone
    source: str  # the body
    validator: str  # the function that checks this
    language: str


class _Error(NamedTuple):
    """An error in a function's body."""

    refusal: Refusal
    line: int
    query: str  # in which the error's position is: the body, or a part of it
    table: str = "-"  # the trigger's


def _look_at_bodies(trial: Trial) -> Iterator[Found]:
    """The errors that only the new server finds in functions that both have, without extensions' and those in C."""

    def ask(side: Side) -> dict[str, Function]:
        with side.connect() as connection:
            return {row[0]: Function(*row) for row in connection.execute(_FUNCTIONS.encode()).fetchall()}

    old, new = trial.both(ask)
    functions = [each for name, each in new.items() if name in old]
    yield "function bodies checked", len(functions)
    known = set()
    for function, before, after in zip(functions, *trial.each(functions, _validate), strict=True):
        if before is None and after is not None and not after.is_limit:
            line = _LINE.search(after.context)
            error = _Error(after, int(line[1]) if line else 1, function.source)
            run = f"DO $$BEGIN EXECUTE pg_get_functiondef({quote(function.name)}::regprocedure); END$$"
            proof = proof_of(trial, f"SET check_function_bodies = on; {run}", trial.inputs.schema)
            finding = _finding_in_body(trial, function, error, "{} refuses the function's body", proof)
            known.add((finding.object, finding.place))
            yield finding
    for found in _look_with_plpgsql_check(trial, functions):
        if not isinstance(found, Finding) or (found.object, found.place) not in known:
            yield found


def _validate(connection: psycopg.Connection, function: Function) -> None:
    """Have the language's validator check a function's body."""
    connection.execute("SET LOCAL check_function_bodies = on")
    connection.execute(f"SELECT {function.validator}({quote(function.name)}::regprocedure)".encode())


def _finding_in_body(trial: Trial, function: Function, error: _Error, said: str, proof: str) -> Finding:
    """The finding about an error, at its place in the statement that creates the function."""
    queries = (sent.query for sent in reversed(trial.inputs.loaded) if function.plain in sent.query.sql)
    created = ((query, routine_of(query)) for query in queries)
    bodies = (each.body or query for query, each in created if each and each.name == function.plain)
    body = max(bodies, key=lambda each: each.sql == function.source, default=None)
    return Finding(
        "schema", "error", "affects", f"{said.format(trial.pair.new)}: {error.refusal.said}",
        remedy_of(error.refusal), object=f"function {function.name}", sqlstate=error.refusal.sqlstate,
        proof=proof, **(shown_at(body, _index(body.sql, error)) if body else {}),
    )  # fmt: skip


def _index(body: str, error: _Error) -> int:
    """The index of the error's word: in its query, if the body contains that unchanged, or of the name in the
    message; else of the line. plpgsql_check replaces INTO and its variables by spaces in the query."""
    begins = line_begins(body)
    begin = begins[min(error.line, len(begins)) - 1]
    position = -1 if error.refusal.inside is None else error.refusal.inside
    for prefix in ("", "SELECT "):  # which PL/pgSQL before 14 puts before an expression
        if position >= len(prefix) and error.query.startswith(prefix):
            wanted = error.query.removeprefix(prefix)
            pattern = "".join("(?s:.)" if letter.isspace() else re.escape(letter) for letter in wanted)
            if match := re.compile(pattern).search(body, begin):
                return match.start() + position - len(prefix)
    line = body[begin:].partition("\n")[0]
    for name in reversed(_QUOTED.findall(error.refusal.message)):
        if match := re.search(rf"\b{re.escape(name)}\b", line):
            return begin + match.start()
    return begin + len(line) - len(line.lstrip())


def _look_with_plpgsql_check(trial: Trial, functions: Sequence[Function]) -> Iterator[Found]:
    """The errors that plpgsql_check finds on the new server only, and where it was not used."""
    functions = [each for each in functions if each.language == "plpgsql"]
    if not functions:
        return
    missed: list[NotLookedAt] = []
    with _extension(trial.sides[0], missed) as old, _extension(trial.sides[1], missed) as new:
        answers = trial.each(functions, _errors)
    yield from missed or _lacking(trial, old, new)
    if new:
        on = f"{trial.pair.old.major} and {trial.pair.new.major}" if old else trial.pair.new.major
        checked = sum(not isinstance(each, Refusal) for each in answers[1])
        yield f"functions checked by plpgsql_check on {on}", checked
    for function, before, after in zip(functions, *answers, strict=True):
        for why in dict.fromkeys(each.message for each in (before, after) if isinstance(each, Refusal)):
            yield NotLookedAt(f"plpgsql_check of {function.name}", why)
        if isinstance(before, Refusal) or isinstance(after, Refusal):
            continue
        known = {(each.line, each.refusal.sqlstate) for each in before}
        for error in dict.fromkeys(each for each in after if (each.line, each.refusal.sqlstate) not in known):
            table = f", {quote(error.table)}" if error.table != "-" else ""
            call = f"SELECT * FROM plpgsql_check_function({quote(function.name)}{table})"
            proof = proof_of(trial, f"CREATE EXTENSION IF NOT EXISTS {_NAME}; {call}", trial.inputs.schema)
            finding = _finding_in_body(trial, function, error, "plpgsql_check finds an error on {}", proof)
            if old != new:  # the old server may have the same
                finding = replace(finding, severity="warning", certainty="may affect", proof="")
            yield finding


def _lacking(trial: Trial, old: str | None, new: str | None) -> Iterator[NotLookedAt]:
    """Why the extension was not used on both servers in the same version, given its versions there."""
    both = zip(trial.pair, (old, new), strict=True)
    versions = (f"the install of {of} has {has or 'none'}" for of, has in both)
    why = "what it finds on the new version may be there before the upgrade"
    if new is None:
        why = "records and strings that functions execute are looked at only as far as their text shows"
    if new is None or old != new:
        yield NotLookedAt(_NAME, f"{', '.join(versions)}: {why}")


@contextlib.contextmanager
def _extension(side: Side, missed: list[NotLookedAt]) -> Iterator[str | None]:
    """Create the extension, unless the application has it, and yield its version; None if the install lacks it."""
    with side.superuser() as superuser, contextlib.ExitStack() as ends:
        found = superuser.execute(_CREATED).fetchone()
        if found is None and superuser.execute(_HAS).fetchone():  # else no event trigger may run
            try:
                with superuser.transaction():
                    superuser.execute(_CREATE.encode())
            except psycopg.Error as error:
                missed.append(NotLookedAt(_NAME, f"{side.install.version}: {Refusal.of(error).message}"))
            else:
                ends.callback(superuser.execute, f"DROP SCHEMA IF EXISTS {_OWN_SCHEMA} CASCADE".encode())
                found = superuser.execute(_CREATED).fetchone()
        yield found[0] if found else None


def _errors(connection: psycopg.Connection, function: Function) -> list[_Error]:
    """The errors in a function; none without the extension."""
    if (created := connection.execute(_CREATED).fetchone()) is None:
        return []
    connection.execute("DO LANGUAGE plpgsql 'BEGIN END'")  # the extension's library needs PL/pgSQL's
    rows = connection.execute(_CHECK.format(created[1]).encode(), [function.name]).fetchall()
    return [
        _Error(Refusal(state, said, hint=hint or "", inside=at and at - 1), line or 1, query or "", table)
        for line, state, said, hint, at, query, table in rows
    ]
