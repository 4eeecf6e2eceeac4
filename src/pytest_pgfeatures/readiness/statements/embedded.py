"""Extract SQL from other SQL: from bodies of functions and DO, and from constants that EXECUTE runs.

A body is split where PL/pgSQL splits it: at semicolons, and at keywords that end an expression or begin statements.
An expression (``IF x > 0 THEN``) becomes a query (``SELECT x > 0``) that keeps its columns in the file.
"""

from __future__ import annotations

import bisect
import functools
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.statements.reading import StatementReading
from pytest_pgfeatures.readiness.statements.variables import IMPLICIT, arguments, rows_read, type_at
from pytest_pgfeatures.sql import Statement, split

if TYPE_CHECKING:
    from collections.abc import Iterator

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
_EXPRESSIONS = frozenset(
    {"if", "elsif", "elseif", "while", "return", "perform", "assert", "exit", "continue", "case"}
)
_WITHOUT_SQL = frozenset(
    {"fetch", "move", "close", "get", "end", "null", "exception", "commit", "rollback", ""}
)
_FOREIGN = re.compile(r"""\blanguage\s++['"]?+pl(?!pgsql\b|sql\b)\w""", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"%(?:(\d+)\$)?-?\d*([sIL%])")
_LONGEST_NESTING = 8
_DECLARE = "DECLARE "
_CREATES_ROUTINE = re.compile(
    r"""\s*+(?>(?:(?:--[^\n]*+\n|/\*[^*]*+\*/)\s*+)*)CREATE\s++(?:OR\s++REPLACE\s++)?(?:FUNCTION|PROCEDURE)\s++"""
    r"""(?:(?:"[^"]++"|[\w$]++)\s*+\.\s*+)?("[^"]++"|[\w$]++)""",
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


def body_of(query: Query) -> Query | None:
    """The PL/pgSQL body of CREATE FUNCTION, CREATE PROCEDURE or DO, with its lines; None for other statements."""
    head = query.sql.lstrip()[:6].lower()
    if head != "create" and head[:2] != "do":
        return None
    reading = StatementReading(query)
    if head == "create":
        if routine_name(query) is None or _language(reading) != "plpgsql":
            return None
        places = [at + 1 for at in reading.positions.get("as", ()) if reading.enclosing[at] == -1]
    else:
        places = [1, 2, 3]
    for at in places:
        if reading.value(at) is not None and reading.keyword(at - 1) != "language":
            return _constant(reading, at, None)
    return None


def foreign_body(query: Query) -> tuple[str, Query] | None:
    """The language and the body of a routine, or of DO, if that is not SQL or PL/pgSQL."""
    if _FOREIGN.search(query.sql) is None:
        return None
    reading = StatementReading(query)
    language = _language(reading)
    if reading.keyword(0) == "create" and _ROUTINES & {reading.keyword(at) for at in range(1, 4)}:
        for at in reading.positions.get("as", ()):
            if reading.enclosing[at] == -1 and reading.value(at + 1) is not None:
                return language, _constant(reading, at + 1, _named(reading))
    elif reading.keyword(0) == "do":
        for at in range(1, min(len(reading.tokens), 4)):
            if reading.value(at) is not None and reading.keyword(at - 1) != "language":
                return language, _constant(reading, at, "DO")
    return None


def routine_name(query: Query) -> str | None:
    """The name of the function or procedure that a statement creates, without its schema."""
    found = _CREATES_ROUTINE.match(query.sql)
    return (found[1] if found[1][0] == '"' else found[1].lower()).strip('"') if found else None


def _inside(query: Query) -> Iterator[Query]:
    head = query.sql.lstrip()[:24].lower()
    if "$" not in query.sql and "'" not in query.sql and "atomic" not in query.sql.lower():
        return
    if not any(
        word in query.sql.lower() for word in ("function", "procedure", "do", "execute", "prepare", "atomic")
    ):
        return
    reading = StatementReading(query)
    first = reading.keyword(0)
    if first == "create" and _ROUTINES & {reading.keyword(at) for at in range(1, 4)}:
        yield from _knowing(_arguments_of(reading), list(_routine(reading)))
    elif first == "do":
        yield from _knowing({}, list(_do(reading)))
    elif query.kind == "body" and first == "execute":
        yield from _executed(reading)
    elif query.kind == "body" and "execute" in reading.positions and not head.startswith("declare"):
        for at in reading.positions["execute"]:
            yield from _executed(reading, at)


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


def _routine(reading: StatementReading) -> Iterator[Query]:
    """The body of CREATE FUNCTION or CREATE PROCEDURE."""
    inside = _named(reading)
    language = _language(reading)
    for at in reading.positions.get("atomic", ()):
        if reading.keyword(at - 1) == "begin":
            yield from _atomic(reading, at + 1, inside)
            return
    for at in reading.positions.get("as", ()):
        if reading.enclosing[at] == -1 and reading.value(at + 1) is not None:
            if language in ("sql", "plpgsql"):
                yield from _body(reading, at + 1, language, inside)
            return


def _named(reading: StatementReading) -> str:
    """The object that CREATE FUNCTION or CREATE PROCEDURE creates: ``function public.total(integer)``."""
    kind = next(reading.keyword(at) for at in range(1, 4) if reading.keyword(at) in _ROUTINES)
    name_at = next(at for at in range(1, 4) if reading.keyword(at) == kind) + 1
    end = name_at
    while end < len(reading.tokens) and reading.keyword(end) != "(":
        end += 1
    name = "".join(token.text for token in reading.tokens[name_at:end])
    arguments = reading.query.sql[
        reading.excerpt_index(end) : reading.excerpt_index(reading.closing(end)) + 1
    ]
    return f"{kind} {name}{' '.join(arguments.split())}"


def _do(reading: StatementReading) -> Iterator[Query]:
    for at in range(1, min(len(reading.tokens), 4)):
        if reading.value(at) is not None and reading.keyword(at - 1) != "language":
            language = _language(reading) if "language" in reading.positions else "plpgsql"
            if language in ("sql", "plpgsql"):
                yield from _body(reading, at, language, "DO")
            return


def _language(reading: StatementReading) -> str:
    for at in reading.positions.get("language", ()):
        if reading.enclosing[at] == -1:
            return (reading.value(at + 1) or reading.name(at + 1) or "").lower()
    return "sql"


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


def _body(reading: StatementReading, at: int, language: str, inside: str) -> Iterator[Query]:
    """The statements of a body that is a string constant."""
    whole = _constant(reading, at, inside)
    if language == "sql":
        yield from (
            _cut(whole, piece.tokens[0].start, piece.tokens[0].start + len(piece.sql.rstrip()))
            for piece in split(whole.sql, psql=False)
            if isinstance(piece, Statement)
        )
    else:
        yield from _statements(StatementReading(whole))


def _constant(reading: StatementReading, at: int, inside: str | None) -> Query:
    """The contents of a string constant, as a query with the lines of the file."""
    token = reading.tokens[at]
    value = reading.value(at) or ""
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
        text = _formatted(text, _constants(reading, start + 1))
    yield replace(found, sql=text, lines=tuple(lines), columns=tuple(columns))


def _constants(reading: StatementReading, opening: int) -> list[str | None]:
    """The arguments of format() after its text that are constants of one line; None for others."""
    parts = reading.split(opening + 1, min(reading.closing(opening), len(reading.tokens)))[1:]
    values = [reading.value(first) if end == first + 1 else None for first, end in parts]
    return [value if value is not None and "\n" not in value else None for value in values]


def _formatted(text: str, values: list[str | None]) -> str:
    """The text of format() with its constants filled in. Other placeholders become text of the same length."""
    number = 0

    def filled(match: re.Match[str]) -> str:
        nonlocal number
        if match[2] == "%":
            return "% "
        number = int(match[1]) if match[1] else number + 1
        value = values[number - 1] if 0 < number <= len(values) else None
        if value is not None:
            return f"'{value}'" if match[2] == "L" else value
        width = len(match[0])
        return ("''" if match[2] == "L" else "x_").ljust(width)[:width]

    return _PLACEHOLDER.sub(filled, text)
