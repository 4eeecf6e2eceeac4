"""Extract SQL from other SQL: from bodies of functions and DO, and from constants that EXECUTE runs.

An expression of PL/pgSQL (``IF x > 0 THEN``) becomes a query (``SELECT x > 0``) at its columns in the file."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.statements.grammar import NUMBERS, refused_at, type_name
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
_DECLARE, _SELECT, _CAST = "DECLARE ", "SELECT ", "SELECT CAST("
_OF_ROUTINE = re.compile(
    r"\s*+(?>(?:(?:--[^\n]*+\n|/\*[^*]*+\*/)\s*+)*)"
    r"(?:create\s++(?>(?:or\s++replace\s++)?)(?:function|procedure)|do)\b",
    re.IGNORECASE,
)


IMPLICIT = {
    "found": "boolean", "sqlstate": "text", "sqlerrm": "text", "new": "", "old": "", "tg_op": "text",
    "tg_name": "name", "tg_when": "text", "tg_level": "text", "tg_relid": "oid", "tg_table_name": "name",
    "tg_relname": "name", "tg_table_schema": "name", "tg_nargs": "integer", "tg_argv": "text[]",
    "tg_event": "text", "tg_tag": "text",
}  # fmt: skip
"""The variables that PL/pgSQL itself declares, with their types."""
_PLAIN = re.compile(r"[a-z_][a-z0-9_$]*+")
_PLACEHOLDER = re.compile(r"%(?:(\d+)\$)?-?\d*([sIL%])")
_UNKNOWN = re.compile(r'(?:column|missing FROM-clause entry for table) "(?P<name>[^"]+)"')
_FIELD = re.compile(r"column (?P<name>\w+)\.\w+ does not exist")


@functools.lru_cache(1 << 12)  # several readers ask
def embedded(query: Query, *, depth: int = 0) -> tuple[Query, ...]:
    """The statements inside a statement, at any depth, each with its lines in the user's file; PL/pgSQL's variables
    are left as they are, and their declarations begin with ``DECLARE``."""
    inside = _inside(query) if depth <= _LONGEST_NESTING else ()
    return tuple(each for found in inside for each in (found, *embedded(found, depth=depth + 1)))


class Routine(NamedTuple):
    """A function or procedure that a statement creates, or a DO block."""

    name: str  # without the schema; empty for a block
    signature: str  # as in "function public.total(integer)"; DO for a block
    language: str  # in lower case
    body: Query | None  # the constant with the body, with its lines


def routine_of(query: Query) -> Routine | None:
    """The routine in CREATE FUNCTION, CREATE PROCEDURE or DO; None for other statements."""
    if _OF_ROUTINE.match(query.sql) is None:
        return None
    reading = StatementReading(query)
    name, signature = "", "DO"
    if reading.keyword(0) != "do":
        at = next((at for at in range(1, 4) if reading.keyword(at) in ("function", "procedure")), 0)
        found, _, end = qualified(reading, at + 1)
        if found is None:
            return None
        opening, closing = reading.excerpt_index(end), reading.excerpt_index(reading.closing(end))
        written = "".join(token.text for token in reading.tokens[at + 1 : end])
        arguments = " ".join(query.sql[opening : closing + 1].split())
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
    reading, routine = StatementReading(query), routine_of(query)
    if routine is not None:
        tree = Tree(query)
        named = (each for each in settings_named(tree) if each.name == "search_path")
        path = [(each.name, each.value) for each in named if each.value is not None]
        parts = [replace(part, settings=(*part.settings, *path)) for part in _statements_of(routine, reading)]
        arguments = reading.outside("(")[:1]
        arguments += (at + 2 for at in reading.outside("returns") if reading.keyword(at + 1) == "table")
        returned = next(tree.of("CreateFunctionStmt"), {}).get("returnType")
        known = {"return": type_name(returned)} if returned else {}  # no variable has the name of a key word
        for at in arguments:
            known |= _declared(reading, at + 1, reading.closing(at))
        yield from _knowing(known, parts)
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
        reading = StatementReading(part)
        if part.sql.startswith(_DECLARE) and (name := reading.name(1)) is not None:
            variables |= {name: ""} | _declared(reading, 1, len(reading.tokens))
    for part in parts:
        rows = _rows_read(part) if part.variables or "into" in part.sql.lower() else {}
        variables |= {name: row for name, row in rows.items() if variables.get(name) in ("", "record")}
    known = tuple((IMPLICIT | variables).items())
    for part in parts:
        of_type, columns = variables.get(part.target or "", ""), part.columns
        # as an assignment does
        cast = f"{_CAST}{part.sql.removeprefix(_SELECT)} AS {of_type}{' precision' * (of_type == 'double')})"
        if of_type in NUMBERS and refused_at(cast) is None:
            part = replace(part, sql=cast, columns=(columns[0] - len(_CAST) + len(_SELECT), *columns[1:]))
        yield part if part.sql.startswith(_DECLARE) else replace(part, variables=known)


def _declared(reading: StatementReading, first: int, end: int) -> dict[str, str]:
    """The names and types in a list of arguments, or in a declaration."""
    trees = (Tree(part) for part in _part(reading, first, end, _DECLARE))
    parameters = (each for tree in trees for each in tree.of("FunctionParameter") if "name" in each)
    return {each["name"]: type_name(each["argType"]) for each in parameters}


def _rows_read(query: Query) -> dict[str, str]:
    """The records that a query, maybe one of a loop, fills from one relation, as variables of its row type."""
    reading = StatementReading(query)
    source, into = ([at + 1 for at in reading.outside(word)] for word in ("from", "into"))
    if reading.keyword(0) != "select" or not source or (relation := qualified(reading, source[0])[0]) is None:
        return {}
    filled = (at + (reading.keyword(at) == "strict") for at in into if reading.keyword(at + 1) != ",")
    names = (*(name for name, _ in query.variables), *map(reading.name, filled))
    return {name: relation for name in names if name is not None}


def _statements_of(routine: Routine, reading: StatementReading) -> Iterator[Query]:
    """The statements of a routine's body."""
    whole = routine.body
    atomic = [at + 1 for at in reading.positions.get("atomic", ()) if reading.keyword(at - 1) == "begin"]
    end = reading.positions.get("end", [0])[-1]
    if whole is None and atomic and atomic[0] < end:
        whole = replace(next(_part(reading, atomic[0], end)), inside=routine.signature)
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


def _part(reading: StatementReading, first: int, end: int, prefix: str = "") -> Iterator[Query]:
    """The tokens from ``first`` up to, but not including, ``end``, if there are any."""
    if first < end:
        found = reading.query.part(reading.tokens[first].start, reading.tokens[end - 1].end, prefix)
        yield replace(found, kind="body")


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
        begin = inner + 1 + (body.keyword(inner + 1) in ("reverse", "array"))
        bounds = body.split(begin, end, "..")
        is_query = len(bounds) == 1 and (body.keyword(begin) in COMMANDS or body.keyword(begin) == "(")
        for part in (part for each in bounds for part in _part(body, *each, "" if is_query else _SELECT)):
            yield replace(part, variables=variables)
    elif word == "open" or (word, following) == ("return", "query"):
        yield from _one(body, _next(body, first, end, "for", "query") + 1, end)
    elif word in _EXPRESSIONS:
        for part in _part(body, first + 1 + (word == "return" and following == "next"), end, _SELECT):
            yield replace(part, target=word if word == "return" else None)
    elif word == "raise":
        at = _next(body, first, end, ",", "using")
        at = _next(body, at, end, "=") if body.keyword(at) == "using" else at
        yield from _part(body, at + 1, end, _SELECT)
    elif word not in _WITHOUT_SQL:
        is_command = word in COMMANDS or word == "("
        yield from _part(body, first, end) if is_command else _assigned(body, first, end)


def _declaration(body: StatementReading, first: int, end: int) -> Iterator[Query]:
    """A variable, and its initial value as a query; of a cursor, its query, with its arguments as variables."""
    cursor = _next(body, first + 1, min(first + 4, end), "cursor")
    if body.keyword(cursor) != "cursor":
        yield from _part(body, first, end, _DECLARE)
        yield from _assigned(body, first, end, least=2)  # one token calls nothing
        return
    query = _next(body, cursor, end, "for", "is")
    known = tuple(_declared(body, cursor + 2, query - 1).items())
    for part in _one(body, query + 1, end):
        yield replace(part, variables=known)


def _next(body: StatementReading, first: int, end: int, *words: str) -> int:
    """The next token in no parentheses that is one of some words; ``end`` if there is none."""
    found = (at for at in range(first, end) if body.keyword(at) in words)
    return next((at for at in found if body.enclosing[at] == -1), end)


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
        forms = [_with_constants(text, values, unknown) for unknown in ("x_", "1")]
        text = next((each for each in forms if refused_at(each) is None), forms[0])
    elif last > constant and last not in reading.strings:
        text += f" {FILLED_IN}"
    yield replace(found, sql=text, lines=lines, columns=columns)


def _assigned(body: StatementReading, first: int, end: int, *, least: int = 1) -> Iterator[Query]:
    """The value that a variable gets, if it has enough tokens; the constant in it, if the body executes that."""
    at = _next(body, first, end, ":=", "=", "default")
    for part in _part(body, at + 1, end, _SELECT) if at + least < end else ():
        yield replace(part, target=body.name(first))
    if any(body.name(each + 1) == body.name(first) for each in body.positions.get("execute", ())):
        yield from (each for each in _executed(body, at) if may_be_statement(each.sql))


def _with_constants(text: str, values: list[str | None], unknown: str) -> str:
    """The text of format() with its constants filled in, and a name or number of the same length for others."""
    number = 0

    def filled(match: re.Match[str]) -> str:
        nonlocal number
        if match[2] == "%":
            return "% "
        number = int(match[1]) if match[1] else number + 1
        value = values[number - 1] if 0 < number <= len(values) else None
        if value is None or "\n" in value:
            width = len(match[0])
            return ("''" if match[2] == "L" else unknown).ljust(width)[:width]
        if match[2] == "I" and not _PLAIN.fullmatch(value):
            return f'"{value}"'
        return f"'{value}'" if match[2] == "L" else value

    return _PLACEHOLDER.sub(filled, text)


def unknown_variable(message: str, variables: Iterable[str]) -> str | None:
    """The variable that a server does not know, according to its error."""
    match = _UNKNOWN.search(message) or _FIELD.search(message)
    return match["name"] if match and match["name"] in variables else None


class Substituted(NamedTuple):
    """A statement with parameters in place of variables."""

    sql: str
    types: tuple[str, ...]  # of each parameter, as format_type() writes it; empty if unknown
    origins: Sequence[int]  # by index in the text, and at its end, the index in the original

    def original(self, position: int) -> int:
        """The index in the original text that corresponds to an index in this one."""
        return self.origins[min(position, len(self.origins) - 1)]


def substituted(query: Query, names: Collection[str]) -> Substituted:
    """Replace the variables of these names, in lower case, by parameters: ``x``, and ``x.field`` as one, unless the
    type of ``x`` is known."""
    tree, types, sql = Tree(query), dict(query.variables), query.sql
    used = (int(token.text[1:]) for token in tree.tokens if token.kind == "parameter")
    given = [""] * max(used, default=0)
    numbers: dict[str, int] = {}
    parts: list[str] = []
    origins: list[int] = []
    done = 0
    for last, column in sorted(tree.columns.items()):
        first = last if column.qualifier is None else last - 2
        if (column.qualifier or column.name) not in names or tree.keyword(first - 1) == ".":
            continue
        is_row = types.get(column.qualifier or "", "") not in ("", "record")
        name = (is_row and column.qualifier) or column.name
        whole = f"{'' if is_row else column.qualifier or ''}.{name}"
        if whole not in numbers:
            given.append(types.get(name, "") if whole[0] == "." else "")
            numbers[whole] = len(given)
        begin = tree.tokens[first].start
        field = f").{sql[tree.tokens[last].start : tree.tokens[last].end]}" if is_row else ""
        parts += (sql[done:begin], f"{'(' if is_row else ''}${numbers[whole]}{field}")
        origins += (*range(done, begin), *[begin] * len(parts[-1]))
        done = tree.tokens[last].end
    return Substituted("".join((*parts, sql[done:])), tuple(given), (*origins, *range(done, len(sql) + 1)))
