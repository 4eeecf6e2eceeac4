"""Extract SQL from other SQL: from bodies of functions and DO, and from constants that EXECUTE runs.

An expression of PL/pgSQL (``IF x > 0 THEN``) becomes a query (``SELECT x > 0``) at its columns in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.statements.grammar import refused_at
from pytest_pgfeatures.readiness.statements.reading import (
    COMMANDS,
    StatementReading,
    is_no_english,
    may_be_statement,
    qualified,
    unquoted,
)
from pytest_pgfeatures.readiness.statements.settings import settings_named
from pytest_pgfeatures.readiness.statements.trees import Tree
from pytest_pgfeatures.readiness.statements.variables import IMPLICIT, declared, rows_read, with_constants
from pytest_pgfeatures.sql import statements

_NO_FUNCTIONS = {"values", "in", "any", "some", "all", "format", "and", "or", "not", "when", "as", "on"}
"""Words before parentheses that call no function, or one whose text is read as its own."""
_EXPRESSIONS = frozenset({
    "if", "elsif", "elseif", "while", "when", "return", "perform", "assert", "exit", "continue", "case",
})  # fmt: skip
"""Words of PL/pgSQL before an expression."""
_WITHOUT_SQL = {"fetch", "move", "close", "get", "end", "null", "exception", "commit", "rollback", ""}
_GIVEN = re.compile(rf"[(,]\s*+[eE]?(?:'|\$\w*+\$)\s*+(?:{'|'.join(sorted(COMMANDS))})\b", re.IGNORECASE)
"""The beginning of a constant that a function may get as a statement."""
_CONTINUED = re.compile(r"[ \t]'[ \t]*+\n[ \t]*+'")
"""The end of a part of a constant, and the beginning of its next part on the next line."""
_LONGEST_NESTING = 8
FILLED_IN = "x"  # the name in place of what a statement gets when it is executed
_DECLARE = "DECLARE "
_OF_ROUTINE = re.compile(
    r"\s*+(?>(?:(?:--[^\n]*+\n|/\*[^*]*+\*/)\s*+)*)"
    r"(?:create\s++(?>(?:or\s++replace\s++)?)(?:function|procedure)|do)\b",
    re.IGNORECASE,
)


def embedded(query: Query, *, depth: int = 0) -> Iterator[Query]:
    """The statements inside a statement, at any depth, each with its lines in the user's file; PL/pgSQL's variables
    are left as they are, and their declarations begin with ``DECLARE``."""
    for found in _inside(query) if depth <= _LONGEST_NESTING else ():
        yield found
        yield from embedded(found, depth=depth + 1)


class Routine(NamedTuple):
    """A function or procedure that a statement creates, or a DO block."""

    name: str  # without the schema; empty for a block
    signature: str  # as in "function public.total(integer)"; DO for a block
    language: str  # in lower case
    body: Query | None  # the constant with the body, with its lines


def routine_of(query: Query) -> Routine | None:
    """The routine in CREATE FUNCTION, CREATE PROCEDURE or DO; None for other statements."""
    return _routine_in(StatementReading(query)) if _OF_ROUTINE.match(query.sql) else None


def _routine_in(reading: StatementReading) -> Routine | None:
    name, signature = "", "DO"
    if reading.keyword(0) != "do":
        at = next((at for at in range(1, 4) if reading.keyword(at) in ("function", "procedure")), 0)
        found, _, end = qualified(reading, at + 1)
        if reading.keyword(0) != "create" or found is None:
            return None
        opening, closing = reading.excerpt_index(end), reading.excerpt_index(reading.closing(end))
        written = "".join(token.text for token in reading.tokens[at + 1 : end])
        arguments = " ".join(reading.query.sql[opening : closing + 1].split())
        name, signature = found, f"{reading.keyword(at)} {written}{arguments}"
    named = [reading.strings.get(at + 1) or reading.name(at + 1) or "" for at in reading.outside("language")]
    language = named[0].lower() if named else "sql" if name else "plpgsql"
    before = {at: reading.keyword(at - 1) for at in reading.strings}
    bodies = (at for at, word in before.items() if (word == "as" if name else word != "language"))
    body = next((_constant(reading, at, signature) for at in bodies), None)
    return Routine(name, signature, language, body)


def _inside(query: Query) -> Iterator[Query]:
    sql = query.sql.lower()
    given, in_body = _GIVEN.search(sql) is not None, query.kind == "body" and not sql.startswith("declare")
    if not given and not (in_body and "execute" in sql) and _OF_ROUTINE.match(sql) is None:
        return
    reading = StatementReading(query)
    routine = _routine_in(reading)
    if routine is not None:
        parts = list(_statements_of(routine, reading))
        if parts and routine.name and "search_path" in reading.positions:
            named = settings_named(Tree(reading))
            path = [(name, value) for name, value, *_ in named if name == "search_path" and value is not None]
            parts = [replace(part, settings=(*part.settings, *path)) for part in parts]
        yield from _knowing(_arguments_of(reading) if routine.name else {}, parts)
        return
    for at in reading.positions.get("execute", ()) if in_body else ():
        yield from _executed(reading, at)
    if given and (in_body or query.kind != "body"):
        yield from _given(reading)


def _given(reading: StatementReading) -> Iterator[Query]:
    """The constants that functions get and that are statements, as those of dblink() and of schedulers."""
    for at in reading.strings:
        opening = reading.enclosing[at]
        alone = reading.keyword(at - 1) in ("(", ",") and reading.keyword(at + 1) in (")", ",", "::")
        if opening < 1 or not alone or (reading.name(opening - 1) or "on") in _NO_FUNCTIONS:
            continue
        given = _constant(reading, at)
        if may_be_statement(given.sql) and (refused_at(given.sql) is None or is_no_english(given.sql)):
            yield given


def _knowing(variables: dict[str, str], parts: list[Query]) -> Iterator[Query]:
    """The parts of a body, with its known variables: the arguments, the declared ones, and those of loops."""
    for part in parts:
        variables = dict(part.variables) | variables
        name = StatementReading(part).name(1) if part.sql.startswith(_DECLARE) else None
        if name is not None:
            variables |= {name: ""} | declared(part.sql[len(_DECLARE) :])
    for part in parts:
        rows = rows_read(part) if part.variables or "into" in part.sql.lower() else {}
        variables |= {name: row for name, row in rows.items() if variables.get(name) in ("", "record")}
    known = tuple((IMPLICIT | variables).items())
    for part in parts:
        yield part if part.sql.startswith(_DECLARE) else replace(part, variables=known)


def _arguments_of(reading: StatementReading) -> dict[str, str]:
    """The names and types of a routine's arguments, and of the columns that it returns."""
    lists = reading.outside("(")[:1]
    lists += (at + 2 for at in reading.outside("returns") if reading.keyword(at + 1) == "table")
    found: dict[str, str] = {}
    for at in lists:
        begin, end = reading.excerpt_index(at) + 1, reading.excerpt_index(reading.closing(at))
        found |= declared(reading.query.sql[begin:end])
    return found


def _statements_of(routine: Routine, reading: StatementReading) -> Iterator[Query]:
    """The statements of a routine's body."""
    whole = routine.body
    atomic = [at + 1 for at in reading.positions.get("atomic", ()) if reading.keyword(at - 1) == "begin"]
    end = reading.positions.get("end", [0])[-1]
    if whole is None and atomic and atomic[0] < end:
        whole = replace(_part(reading, atomic[0], end), inside=routine.signature)
    if whole is not None and routine.language == "sql":
        for each in statements(whole.sql, psql=False):
            yield whole.part(each.start, each.start + len(each.sql.rstrip()))
    elif whole is not None and routine.language == "plpgsql":
        body = StatementReading(whole)
        for first, end, declaring in parts_of_body(body):
            if end > first:
                yield from _declaration(body, first, end) if declaring else _one(body, first, end)


def _constant(reading: StatementReading, at: int, inside: str | None = None) -> Query:
    """The contents of a string constant, at their place in the file."""
    token = reading.tokens[at]
    opening = token.text.index("$", 1) if token.text.startswith("$") else token.text.index("'")
    found = reading.query.part(token.start + opening + 1, token.end)
    value = unquoted(_CONTINUED.sub("\n", token.text)) if "\n" in token.text else reading.strings[at]
    return replace(found, sql=value, kind="body", inside=inside or found.inside, variables=())


def _part(reading: StatementReading, first: int, end: int, prefix: str = "") -> Query:
    """The tokens from ``first`` up to, but not including, ``end``."""
    found = reading.query.part(reading.tokens[first].start, reading.tokens[end - 1].end, prefix)
    return replace(found, kind="body")


def parts_of_body(body: StatementReading) -> Iterator[tuple[int, int, bool]]:
    """The parts of a PL/pgSQL body, which semicolons and key words end: the index of the first token and of the one
    that ends it, and whether it is a declaration. For a key word alone, such as ELSE, both are its own."""
    start, declaring, open_cases, count = 0, False, 0, len(body.tokens)
    for at in (*(at for at in range(count) if body.enclosing[at] == -1), count):
        word = body.keyword(at) if at < count else ";"
        if at < start:
            continue
        if at == start and word == "<<":
            start = _next(body, at, count, ">>") + 1
        elif at == start and word in ("declare", "begin"):
            start, declaring = at + 1, word == "declare"
            yield at, at, declaring
        elif word == ";" or (
            # THEN, ELSE and BEGIN may belong to a CASE expression; CASE at the beginning is the statement
            word in ("then", "loop", "else", "begin")
            and not declaring
            and (word == "loop" or at == start or open_cases <= 0)
        ):
            yield start, at, declaring
            start, open_cases = at + 1, 0
        else:
            open_cases += (word == "case" and at > start) - (word == "end")


def _one(body: StatementReading, first: int, end: int) -> Iterator[Query]:
    """One part of a body, as statements for the server."""
    word, following = body.keyword(first), body.keyword(first + 1)
    if word in ("for", "foreach"):
        inner = _next(body, first, end, "in")
        variables = tuple((name, "") for name in map(body.name, range(first + 1, inner)) if name is not None)
        for part in _looped(body, inner + 1, end):
            yield replace(part, variables=variables)
    elif word == "open":
        yield from _one(body, _next(body, first, end, "for") + 1, end)
    elif word == "return" and following == "query":
        yield from _one(body, first + 2, end)
    elif word in _EXPRESSIONS:
        yield from _expression(body, first + 1 + (word == "return" and following == "next"), end)
    elif word == "raise":
        at = _next(body, first, end, ",", "using")
        at = _next(body, at, end, "=") if body.keyword(at) == "using" else at
        yield from _expression(body, at + 1, end)
    elif word in _WITHOUT_SQL:
        return
    elif word in COMMANDS or word == "(":
        yield _part(body, first, end)
    else:
        yield from _expression(body, _next(body, first, end, ":=", "=") + 1, end)
        yield from _executed_later(body, first, end)


def _declaration(body: StatementReading, first: int, end: int) -> Iterator[Query]:
    """A variable, and its initial value as a query; of a cursor, its query, with its arguments as variables."""
    cursor = _next(body, first + 1, min(first + 4, end), "cursor")
    if body.keyword(cursor) != "cursor":
        yield _part(body, first, end, _DECLARE)
        value = _next(body, first, end, ":=", "=", "default") + 1
        if value + 1 < end:  # one token calls nothing
            yield from _expression(body, value, end)
        yield from _executed_later(body, first, end)
        return
    query = _next(body, cursor, end, "for", "is")
    arguments = body.query.sql[body.tokens[cursor].end : body.excerpt_index(query)].strip()[1:-1]
    for part in _one(body, query + 1, end):
        yield replace(part, variables=tuple(declared(arguments).items()))


def _next(body: StatementReading, first: int, end: int, *words: str) -> int:
    """The next token in no parentheses that is one of some words; ``end`` if there is none."""
    found = (at for at in range(first, end) if body.keyword(at) in words)
    return next((at for at in found if body.enclosing[at] == -1), end)


def _looped(body: StatementReading, start: int, end: int) -> Iterator[Query]:
    """The query or the bounds of a FOR loop."""
    start += body.keyword(start) in ("reverse", "array")
    parts = body.split(start, end, "..")
    is_query = len(parts) == 1 and (body.keyword(start) in COMMANDS or body.keyword(start) == "(")
    prefix = "" if is_query else "SELECT "
    yield from (_part(body, low, high, prefix) for low, high in parts if low < high)


def _expression(body: StatementReading, first: int, end: int) -> Iterator[Query]:
    """An expression as a query."""
    if first < end:
        yield _part(body, first, end, "SELECT ")


def _executed(reading: StatementReading, at: int) -> Iterator[Query]:
    """The constant that EXECUTE runs. If it is concatenated, a placeholder name replaces each other part."""
    start = at + 1
    while reading.keyword(start) == "(":
        start += 1
    after = (each for each in range(start, len(reading.tokens)) if reading.enclosing[each] < start)
    ends = (each for each in after if reading.keyword(each) in ("using", "into", ";", "loop"))
    end = next(ends, len(reading.tokens))
    formatted = reading.keyword(start) == "format" and reading.keyword(start + 1) == "("
    constant = start + 2 if formatted else start
    if constant not in reading.strings:
        return
    found = _constant(reading, constant)
    text, lines, columns = found.sql, found.lines, found.columns
    for following in range(constant + 1, end):
        if formatted and reading.keyword(following) == ",":
            break
        if following in reading.strings and reading.keyword(following - 1) == "||":
            more = _constant(reading, following)
            filled_in = f" {FILLED_IN}" if reading.keyword(following - 2) else ""
            text += f"{filled_in} \n{more.sql}"
            lines += more.lines
            columns += more.columns
    last = end - (start - at)  # without the parentheses around all of it
    if formatted:
        arguments = reading.split(constant, reading.closing(start + 1))[1:]
        values = [reading.strings.get(first) if stop == first + 1 else None for first, stop in arguments]
        text = with_constants(text, values)
    elif last > constant and last not in reading.strings:
        text += f" {FILLED_IN}"
    yield replace(found, sql=text, lines=lines, columns=columns)


def _executed_later(body: StatementReading, first: int, end: int) -> Iterator[Query]:
    """The constant that a variable gets, if the body has an EXECUTE of that variable."""
    at = _next(body, first, end, ":=", "=", "default")
    if any(body.name(each + 1) == body.name(first) for each in body.positions.get("execute", ())):
        yield from (each for each in _executed(body, at) if may_be_statement(each.sql))
