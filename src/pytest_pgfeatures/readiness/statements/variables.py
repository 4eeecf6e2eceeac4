"""Variables of functions, and statements with parameters in place of variables, so that servers can parse them.

PL/pgSQL does the same when it runs a statement
(https://www.postgresql.org/docs/current/plpgsql-implementation.html#PLPGSQL-VAR-SUBST).
"""

from __future__ import annotations

import bisect
import re
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.readiness.statements.reading import StatementReading, qualified
from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pytest_pgfeatures.sql import Token

IMPLICIT = {
    "found": "boolean", "sqlstate": "text", "sqlerrm": "text", "new": "", "old": "", "tg_op": "text",
    "tg_name": "name", "tg_when": "text", "tg_level": "text", "tg_relid": "oid", "tg_table_name": "name",
    "tg_relname": "name", "tg_table_schema": "name", "tg_nargs": "integer", "tg_argv": "text[]",
    "tg_event": "text", "tg_tag": "text",
}  # fmt: skip
"""The variables that PL/pgSQL itself declares, with their types."""
SHORT_TYPES = {
    "timestamp with time zone": "timestamptz", "timestamp without time zone": "timestamp",
    "time with time zone": "timetz", "double precision": "double",
    "character varying": "varchar", "character": "char",
}  # fmt: skip
"""For types as format_type() writes them: the names that patterns use."""
_MODES = frozenset({"in", "out", "inout", "variadic"})
_TWO_WORDS = frozenset({"precision", "varying", "with", "without", "character", "char"})
"""Second words of types: ``double precision``."""
_ENDS_TYPE = frozenset({"default", "=", ":=", "not", "collate", ";"})
_ALIASES = {
    "int": "integer", "int4": "integer", "int8": "bigint", "int2": "smallint", "bool": "boolean",
    "float8": "double precision", "float": "double precision", "float4": "real", "decimal": "numeric",
    "varchar": "character varying", "char": "character", "timestamptz": "timestamp with time zone",
    "timestamp": "timestamp without time zone", "timetz": "time with time zone", "time": "time without time zone",
}  # fmt: skip
_PLAIN = re.compile(r"[a-z_][a-z0-9_$]*+")
_PLACEHOLDER = re.compile(r"%(?:(\d+)\$)?-?\d*([sIL%])")
_MODIFIER = re.compile(r"\s*+\([\d, ]*+\)")
_UNKNOWN = re.compile(r'(?:column|missing FROM-clause entry for table) "(?P<name>[^"]+)"')
_FIELD = re.compile(r"column (?P<name>\w+)\.\w+ does not exist")


def arguments(reading: StatementReading, opening: int) -> Iterator[tuple[str, str]]:
    """The named arguments in the parentheses that begin at a token, each with its type."""
    for start, end in reading.split(opening + 1, min(reading.closing(opening), len(reading.tokens))):
        first = start + (reading.keyword(start) in _MODES)
        name = reading.name(first)
        if (
            name is not None
            and first + 1 < end
            and reading.keyword(first + 1) not in (*_TWO_WORDS, "(", "[", ".")
        ):
            yield name, type_at(reading, first + 1, end)


def rows_read(reading: StatementReading, looped: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The records that a query fills from one relation, as variables of its row type.

    Parameters:
        looped: the variables of the loop over the query.
    """
    if reading.keyword(0) != "select" or "from" not in reading.positions:
        return
    source = next((at for at in reading.positions["from"] if reading.enclosing[at] == -1), None)
    names = list(looped)
    for at in reading.positions.get("into", ()):
        first = at + 1 + (reading.keyword(at + 1) == "strict")
        if reading.enclosing[at] == -1 and reading.keyword(first + 1) != ",":
            names += [name for name in (reading.name(first),) if name is not None]
    relation = qualified(reading, source + 1)[0] if source is not None else None
    if relation is not None:
        yield from ((name, f"{relation}%rowtype") for name in names)


def type_at(reading: StatementReading, start: int, end: int) -> str:
    """The type between two tokens, without its modifier, as format_type() writes it."""
    stop = next((at for at in range(start, end) if reading.keyword(at) in _ENDS_TYPE), end)
    if stop <= start:
        return ""
    text = reading.query.sql[reading.tokens[start].start : reading.tokens[stop - 1].end].lower()
    text = " ".join(_MODIFIER.sub("", text).split())
    bare = text.removesuffix("[]")
    return _ALIASES.get(bare, bare) + text[len(bare) :]


def unknown_variable(message: str, variables: Iterable[str]) -> str | None:
    """The variable that a server does not know, according to its error."""
    match = _UNKNOWN.search(message) or _FIELD.search(message)
    return match["name"] if match and match["name"] in variables else None


class Substituted(NamedTuple):
    """A statement with parameters in place of variables.

    Parameters:
        sql: the text.
        types: of each parameter, as format_type() writes it; empty if unknown.
        starts, originals: where each piece of the text begins, there and in the original.
    """

    sql: str
    types: tuple[str, ...]
    starts: tuple[int, ...]
    originals: tuple[int, ...]

    def original(self, position: int) -> int:
        """The index in the original text that corresponds to an index in this one."""
        if not self.starts:
            return position
        piece = bisect.bisect_right(self.starts, position) - 1
        following = self.originals[piece + 1] if piece + 1 < len(self.originals) else None
        at = self.originals[piece] + position - self.starts[piece]
        return at if following is None else min(at, following - 1)


def substituted(sql: str, names: Iterable[str], types: Mapping[str, str]) -> Substituted:
    """Replace variables by parameters: ``x``, and ``x.field`` as one.

    Parameters:
        names: the variables to replace, in lower case.
        types: the type of each.
    """
    wanted = set(names)
    found = list(tokens(sql))
    number = max((int(token.text[1:]) for token in found if token.kind == "parameter"), default=0)
    numbers: dict[str, int] = {}
    given = [""] * number
    parts: list[str] = []
    starts, originals = [], []
    length = at = 0
    while at < len(found):
        token, text, step = found[at], found[at].text, 1
        name = text.lower() if token.kind == "word" else text.strip('"') if token.kind == "identifier" else ""
        if name in wanted and _is_value(found, at):
            fields = _field(found, at)
            whole = name + "".join(each.text for each in found[at + 1 : at + fields]).lower()
            if whole not in numbers:
                number += 1
                numbers[whole] = number
                given.append(types.get(name, "") if fields == 1 else "")
            text, step = f"${numbers[whole]}", fields
        parts.append(text)
        starts.append(length)
        originals.append(token.start)
        length += len(text)
        at += step
    return Substituted("".join(parts), tuple(given), tuple(starts), tuple(originals))


def _is_value(found: list[Token], at: int) -> bool:
    """Whether a name may be a variable, and is not a column after a relation, function or alias."""
    before = next((found[each] for each in range(at - 1, -1, -1) if found[each].significant), None)
    after = next((found[each] for each in range(at + 1, len(found)) if found[each].significant), None)
    if before is not None and (before.text == "." or before.keyword == "as"):
        return False
    return after is None or after.text != "("


def _field(found: list[Token], at: int) -> int:
    """The number of tokens of a variable with its field: 3 for ``r.field``."""
    some = [token.text for token in found[at + 1 : at + 3]]
    return 3 if len(some) == 2 and some[0] == "." and found[at + 2].kind in ("word", "identifier") else 1


def without_into(sql: str) -> str:
    """A statement of PL/pgSQL with spaces in place of INTO and its variables."""
    found = [token for token in tokens(sql) if token.significant]
    depth = 0
    for at, token in enumerate(found):
        depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
        if token.keyword != "into" or depth or at == 0 or found[at - 1].keyword in ("insert", "merge"):
            continue
        end = at + 1 + (at + 1 < len(found) and found[at + 1].keyword == "strict")
        while end + 1 < len(found) and found[end + 1].text in (",", "."):
            end += 2
        if end >= len(found):
            return sql
        blank = re.sub(r"\S", " ", sql[token.start : found[end].end])
        return sql[: token.start] + blank + sql[found[end].end :]
    return sql


def with_constants(text: str, values: list[str | None]) -> str:
    """The text of format() with its constants filled in. Other placeholders become text of the same length."""
    number = 0

    def filled(match: re.Match[str]) -> str:
        nonlocal number
        if match[2] == "%":
            return "% "
        number = int(match[1]) if match[1] else number + 1
        value = values[number - 1] if 0 < number <= len(values) else None
        if value is not None:
            if match[2] == "I" and not _PLAIN.fullmatch(value):
                return f'"{value}"'
            return f"'{value}'" if match[2] == "L" else value
        width = len(match[0])
        return ("''" if match[2] == "L" else "x_").ljust(width)[:width]

    return _PLACEHOLDER.sub(filled, text)
