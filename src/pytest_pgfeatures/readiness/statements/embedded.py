"""Extract SQL from other SQL: from bodies of functions and DO, and from constants that EXECUTE runs.

A body is split where PL/pgSQL splits it: at semicolons, and at keywords that end an expression or begin statements.
An expression (``IF x > 0 THEN``) becomes a query (``SELECT x > 0``) that keeps its columns in the file.
"""

from __future__ import annotations

import bisect
import contextlib
import functools
import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.readiness.statements.reading import StatementReading, qualified, unquoted
from pytest_pgfeatures.readiness.statements.trees import parse
from pytest_pgfeatures.readiness.statements.variables import (
    IMPLICIT,
    arguments,
    rows_read,
    type_at,
    with_constants,
)
from pytest_pgfeatures.sql import Statement, split

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_pgfeatures.readiness.model import Query

_ROUTINES = frozenset({"function", "procedure"})
_SQL = frozenset({
    "select", "insert", "update", "delete", "merge", "with", "values", "table", "create", "alter", "drop",
    "truncate", "grant", "revoke", "comment", "copy", "lock", "refresh", "analyze", "vacuum", "reindex",
    "cluster", "notify",
    "listen", "unlisten", "set", "reset", "show", "explain", "call", "do", "discard", "import", "security",
    "reassign", "prepare", "deallocate", "load", "checkpoint",
})  # fmt: skip
"""First words of statements that PL/pgSQL passes to the server."""
_STARTS = frozenset({"begin", "then", "else", "loop"})
"""Words that a new statement follows."""
_NO_FUNCTIONS = frozenset(
    {"values", "in", "any", "some", "all", "format", "and", "or", "not", "when", "as", "on"}
)
"""Words before parentheses that call no function, or one whose text is read as its own."""
_EXPRESSIONS = frozenset(
    {"if", "elsif", "elseif", "while", "return", "perform", "assert", "exit", "continue", "case"}
)
_WITHOUT_SQL = frozenset(
    {"fetch", "move", "close", "get", "end", "null", "exception", "commit", "rollback", ""}
)
_CONTINUED = re.compile(r"[ \t]'[ \t]*+\n[ \t]*+'")
"""The end of a part of a constant, and the beginning of its next part on the next line."""
_GIVEN = re.compile(rf"[(,]\s*+[eE]?(?:'|\$\w*+\$)\s*+(?:{'|'.join(sorted(_SQL))})\b", re.IGNORECASE)
"""The beginning of a constant that a function may get as a statement."""
_FEWEST = 3
"""Tokens of a constant that is taken for a statement."""
_LONGEST_NESTING = 8
_DECLARE = "DECLARE "
_OF_ROUTINE = re.compile(
    r"\s*+(?>(?:(?:--[^\n]*+\n|/\*[^*]*+\*/)\s*+)*)"
    r"(?:create\s++(?>(?:or\s++replace\s++)?)(?:function|procedure)|do)\b",
    re.IGNORECASE,
)


def embedded(query: Query, *, depth: int = 0) -> Iterator[Query]:
    """The statements inside a statement, at any depth, each with its lines in the user's file.

    Parameters:
        query: a statement, such as CREATE FUNCTION or DO. If it contains no other statements, nothing is yielded.

    Yields:
        statements for the server, with PL/pgSQL's variables left as they are. Declarations of variables begin with
        ``DECLARE``.
    """
    if depth > _LONGEST_NESTING:
        return
    for found in _inside(query):
        yield found
        yield from embedded(found, depth=depth + 1)


class Routine(NamedTuple):
    """A function or procedure that a statement creates, or a DO block.

    Parameters:
        kind: ``function``, ``procedure`` or ``do``.
        name: without the schema.
        signature: as in ``function public.total(integer)``; ``DO`` for a block.
        language: in lower case.
        body: the constant with the body, with its lines; None if there is none.
    """

    kind: str
    name: str
    signature: str
    language: str
    body: Query | None


def routine_of(query: Query) -> Routine | None:
    """The routine in CREATE FUNCTION, CREATE PROCEDURE or DO; None for other statements."""
    if _OF_ROUTINE.match(query.sql) is None:
        return None
    return _routine_in(StatementReading(query))


def _routine_in(reading: StatementReading) -> Routine | None:
    if reading.keyword(0) == "do":
        kind, name, signature = "do", "", "DO"
        places: Iterable[int] = (1, 2, 3)
    else:
        at = next((at for at in range(1, 4) if reading.keyword(at) in _ROUTINES), 0)
        kind, (name_, _, end) = reading.keyword(at), qualified(reading, at + 1)
        if reading.keyword(0) != "create" or name_ is None:
            return None
        opening, closing = reading.excerpt_index(end), reading.excerpt_index(reading.closing(end))
        written = "".join(token.text for token in reading.tokens[at + 1 : end])
        arguments = " ".join(reading.query.sql[opening : closing + 1].split())
        name, signature = name_, f"{kind} {written}{arguments}"
        places = (at + 1 for at in reading.positions.get("as", ()) if reading.enclosing[at] == -1)
    language = next(
        (
            (reading.value(at + 1) or reading.name(at + 1) or "").lower()
            for at in reading.positions.get("language", ())
            if reading.enclosing[at] == -1
        ),
        "plpgsql" if kind == "do" else "sql",
    )
    body = next(
        (at for at in places if reading.value(at) is not None and reading.keyword(at - 1) != "language"), None
    )
    constant = _constant(reading, body, signature) if body is not None else None
    return Routine(kind, name, signature, language, constant)


def _inside(query: Query) -> Iterator[Query]:
    sql = query.sql.lower()
    given = _GIVEN.search(query.sql) is not None
    if not given and not (query.kind == "body" and "execute" in sql) and _OF_ROUTINE.match(query.sql) is None:
        return
    reading = StatementReading(query)
    routine = _routine_in(reading) if reading.keyword(0) in ("create", "do") else None
    if routine is not None:
        known = _arguments_of(reading) if routine.name else {}
        yield from _knowing(known, list(_statements_of(routine, reading)))
    elif query.kind == "body" and reading.keyword(0) == "execute":
        yield from _executed(reading)
    elif not sql.lstrip().startswith("declare"):
        for at in reading.positions.get("execute", ()) if query.kind == "body" else ():
            yield from _executed(reading, at)
        if given:
            yield from _given(reading)


def _given(reading: StatementReading) -> Iterator[Query]:
    """The constants that functions get and that are statements, as those of dblink() and of schedulers."""
    for at in reading.kinds.get("string", ()):
        opening = reading.enclosing[at]
        alone = reading.keyword(at - 1) in ("(", ",") and reading.keyword(at + 1) in (")", ",", "::")
        if opening < 1 or not alone or reading.name(opening - 1) in _NO_FUNCTIONS:
            continue
        given = _constant(reading, at, None)
        inside = StatementReading(given)
        if (
            inside.keyword(0) in _SQL
            and len(inside.tokens) >= _FEWEST
            and reading.name(opening - 1) is not None
        ):
            with contextlib.suppress(RecursionError):
                yield from (given,) if parse(given.sql)[0] else ()


def _knowing(variables: dict[str, str], parts: list[Query]) -> Iterator[Query]:
    """The parts of a body, with its known variables: the arguments, the declared ones, and those of loops."""
    for part in parts:
        variables = dict(part.variables) | variables
        if part.sql.startswith(_DECLARE):
            reading = StatementReading(part)
            first = 2 + (reading.keyword(2) == "constant")
            name = reading.name(1)
            if name is not None:
                variables[name] = type_at(reading, first, len(reading.tokens))
    reading_rows = [part for part in parts if part.variables or "into" in part.sql.lower()]
    for part in reading_rows:
        for name, row in rows_read(StatementReading(part), [name for name, _ in part.variables]):
            if variables.get(name) in ("", "record"):
                variables[name] = row
    known = tuple((IMPLICIT | variables).items())
    for part in parts:
        yield part if part.sql.startswith(_DECLARE) else replace(part, variables=known)


def _arguments_of(reading: StatementReading) -> dict[str, str]:
    """The names and types of a routine's arguments, and of the columns that it returns."""
    first = reading.positions.get("(", [len(reading.tokens)])[0]
    found = dict(arguments(reading, first))
    for at in reading.positions.get("returns", ()):
        if reading.keyword(at + 1) == "table" and reading.enclosing[at] == -1:
            found |= arguments(reading, at + 2)
    return found


def _statements_of(routine: Routine, reading: StatementReading) -> Iterator[Query]:
    """The statements of a routine's body."""
    for at in reading.positions.get("atomic", ()) if routine.name else ():
        if reading.keyword(at - 1) == "begin":
            yield from _atomic(reading, at + 1, routine.signature)
            return
    whole = routine.body
    if whole is not None and routine.language == "sql":
        yield from (
            _cut(whole, piece.tokens[0].start, piece.tokens[0].start + len(piece.sql.rstrip()))
            for piece in split(whole.sql, psql=False)
            if isinstance(piece, Statement)
        )
    elif whole is not None and routine.language == "plpgsql":
        yield from _statements(StatementReading(whole))


def _atomic(reading: StatementReading, first: int, inside: str) -> Iterator[Query]:
    """The statements of BEGIN ATOMIC ... END."""
    start, depth = first, 0
    for at in range(first, len(reading.tokens)):
        word = reading.keyword(at)
        depth += (word == "case") - (word == "end")
        ends = word == "end" and depth < 0
        if (word == ";" and reading.enclosing[at] == reading.enclosing[first]) or ends:
            if at > start:
                yield _part(reading, start, at, inside)
            start = at + 1
        if ends:
            return


def _constant(reading: StatementReading, at: int, inside: str | None) -> Query:
    """The contents of a string constant, as a query with the lines of the file."""
    token = reading.tokens[at]
    value = reading.value(at) or ""
    if "\n" in token.text and _CONTINUED.search(token.text):
        value = unquoted(_CONTINUED.sub("\n", token.text))
    opening = token.text.index("$", 1) + 1 if token.text.startswith("$") else token.text.index("'") + 1
    lines, columns = [], []
    index = token.start + opening
    query, starts = reading.query, _line_starts(reading.query.sql)
    last = len(query.lines) - 1
    for line in value.split("\n"):
        number = bisect.bisect_right(starts, index) - 1
        lines.append(query.lines[min(number, last)])
        columns.append((query.columns[min(number, last)] if query.columns else 1) + index - starts[number])
        following = reading.query.sql.find("\n", index)
        index = following + 1 if 0 <= following < token.end else index + len(line)
    return replace(
        reading.query,
        sql=value,
        kind="body",
        lines=tuple(lines),
        columns=tuple(columns),
        inside=inside or reading.query.inside,
        variables=(),
    )


def _cut(whole: Query, start: int, end: int, prefix: str = "") -> Query:
    """The part of a query between two indexes of its text."""
    starts = _line_starts(whole.sql)
    before = bisect.bisect_right(starts, start) - 1
    text = whole.sql[start:end]
    count = text.count("\n") + 1
    last = len(whole.lines) - 1
    lines = [whole.lines[min(before + line, last)] for line in range(count)]
    first = whole.columns[min(before, last)] if whole.columns else 1
    columns = [first + start - starts[before] - len(prefix)]
    columns += [whole.columns[min(before + line, last)] if whole.columns else 1 for line in range(1, count)]
    return replace(whole, sql=prefix + text, kind="body", lines=tuple(lines), columns=tuple(columns))


@functools.lru_cache(maxsize=4)
def _line_starts(text: str) -> list[int]:
    """The index of the beginning of each line in a text."""
    return [0, *(match.end() for match in re.finditer("\n", text))]


def _part(
    reading: StatementReading, first: int, end: int, inside: str | None = None, prefix: str = ""
) -> Query:
    """The tokens from ``first`` up to, but not including, ``end``."""
    cut = _cut(reading.query, reading.tokens[first].start, reading.tokens[end - 1].end, prefix)
    return replace(cut, inside=inside) if inside else cut


def _statements(body: StatementReading) -> Iterator[Query]:
    """The statements and expressions of a PL/pgSQL body."""
    start, declaring, count = 0, False, len(body.tokens)
    at = 0
    while at <= count:
        word = body.keyword(at) if at < count else ";"
        nested = at < count and body.enclosing[at] != -1
        if not nested and word in ("declare", "begin") and at == start:
            declaring = word == "declare"
            start = at + 1
        elif not nested and word == ";":
            if at > start:
                yield from _one(body, start, at, declaring=declaring)
            start = at + 1
        elif not nested and word in ("then", "loop", "else", "begin") and not declaring:
            if _ends_part(body, start, at, word):
                if at > start:
                    yield from _one(body, start, at, declaring=False)
                start = at + 1
        elif word == "<<" and at == start:
            while at < count and body.keyword(at) != ">>":
                at += 1
            start = at + 1
        at += 1


def _ends_part(body: StatementReading, start: int, at: int, word: str) -> bool:
    """Whether THEN, ELSE or LOOP belongs to PL/pgSQL, not to a CASE expression."""
    if word == "loop" or at == start:
        return True
    open_cases = 0
    for before in range(start, at):
        if body.enclosing[before] == -1:
            text = body.keyword(before)
            # CASE at the beginning is the statement; its branches are separate parts
            open_cases += (text == "case" and before > start) - (text == "end")
    return open_cases <= 0


def _one(body: StatementReading, first: int, end: int, *, declaring: bool) -> Iterator[Query]:
    """One part of a body, as statements for the server."""
    word = body.keyword(first)
    if declaring:
        yield _part(body, first, end, prefix=_DECLARE)
        yield from _executed_later(body, first, end)
    elif word in ("for", "foreach"):
        yield from _loop(body, first, end)
    elif word == "open":
        for at in range(first, end):
            if body.keyword(at) == "for" and at + 1 < end:
                yield from _one(body, at + 1, end, declaring=False)
                return
    elif word == "return" and body.keyword(first + 1) in ("query", "next"):
        rest = first + 2
        if body.keyword(first + 1) == "next":
            yield from _expression(body, rest, end)
        elif rest < end:
            yield from _one(body, rest, end, declaring=False)
    elif word in _SQL or word in ("execute", "("):
        yield _part(body, first, end)
    elif word not in _WITHOUT_SQL:
        yield from _expressions(body, first, end, word)


def _expressions(body: StatementReading, first: int, end: int, word: str) -> Iterator[Query]:
    """The expressions in a part of a body that PL/pgSQL does not pass to the server as a statement."""
    if word in _EXPRESSIONS or word == "when":
        yield from _expression(body, first + 1, end)
    elif word == "raise":
        comma = next((at for at in range(first, end) if body.keyword(at) in (",", "using")), end)
        yield from _expression(body, comma + 1, end, assigned=body.keyword(comma) == "using")
    else:
        for at in range(first, end):
            if body.keyword(at) in (":=", "=") and body.enclosing[at] == -1:
                yield from _expression(body, at + 1, end)
                yield from _executed_later(body, first, end)
                return


def _loop(body: StatementReading, first: int, end: int) -> Iterator[Query]:
    """The query or the bounds of a FOR loop, which know the loop's variables."""
    inner = next((at for at in range(first, end) if body.keyword(at) == "in"), end)
    variables = tuple((name, "") for name in map(body.name, range(first + 1, inner)) if name is not None)
    for part in _looped(body, inner, end):
        yield replace(part, variables=variables)


def _looped(body: StatementReading, inner: int, end: int) -> Iterator[Query]:
    start = inner + 1 + (body.keyword(inner + 1) in ("reverse", "array"))
    if start < end:
        known = body.keyword(start) in _SQL or body.keyword(start) in ("execute", "(")
        bounds = [at for at in range(start, end) if body.keyword(at) == ".."]
        if known and not bounds:
            yield _part(body, start, end)
        else:
            for low, high in zip((start, *(at + 1 for at in bounds)), (*bounds, end), strict=True):
                yield from _expression(body, low, high)


def _expression(body: StatementReading, first: int, end: int, *, assigned: bool = False) -> Iterator[Query]:
    """An expression as a query."""
    if assigned:
        first = next((at + 1 for at in range(first, end) if body.keyword(at) == "="), end)
    if first < end:
        yield _part(body, first, end, prefix="SELECT ")


def _executed(reading: StatementReading, at: int = 0) -> Iterator[Query]:
    """The constant that EXECUTE runs. If it is concatenated, a placeholder name replaces the parts in between."""
    start = at + 1
    while reading.keyword(start) == "(":
        start += 1
    end = start
    while end < len(reading.tokens) and reading.keyword(end) not in ("using", "into", ";", "loop"):
        end = reading.closing(end) if reading.keyword(end) == "(" else end
        end += 1
    formatted = reading.keyword(start) == "format" and reading.keyword(start + 1) == "("
    constant = start + 2 if formatted else start
    if reading.value(constant) is None:
        return
    found = _constant(reading, constant, None)
    text = found.sql
    lines, columns = list(found.lines), list(found.columns)
    for following in range(constant + 1, end):
        if formatted and reading.keyword(following) == ",":
            break
        if reading.value(following) is not None and reading.keyword(following - 1) == "||":
            more = _constant(reading, following, None)
            text += f" x \n{more.sql}" if reading.keyword(following - 2) != "" else f" \n{more.sql}"
            lines += more.lines
            columns += more.columns
    if formatted:
        text = with_constants(text, _constants(reading, start + 1))
    yield replace(found, sql=text, lines=tuple(lines), columns=tuple(columns))


def _executed_later(body: StatementReading, first: int, end: int) -> Iterator[Query]:
    """The constant that a variable gets, if the body has an EXECUTE of that variable."""
    name = body.name(first)
    if any(body.name(at + 1) == name for at in body.positions.get("execute", ())):
        for at in range(first, end):
            if body.keyword(at) in (":=", "=", "default"):
                yield from (each for each in _executed(body, at) if StatementReading(each).keyword(0) in _SQL)
                return


def _constants(reading: StatementReading, opening: int) -> list[str | None]:
    """The arguments of format() after its text that are constants of one line; None for others."""
    parts = reading.split(opening + 1, min(reading.closing(opening), len(reading.tokens)))[1:]
    values = [reading.value(first) if end == first + 1 else None for first, end in parts]
    return [value if value is not None and "\n" not in value else None for value in values]
