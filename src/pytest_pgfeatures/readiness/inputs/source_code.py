"""Find SQL in the string literals of source code, with Pygments.

Adjacent literals and literals joined with ``+`` or ``append()`` form one text. Interpolated expressions
(``{name}``, ``${name}``, ``#{name}``, in Perl and Tcl ``$name``) and expressions that are joined to a literal
become parameters.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.files import read_regular_text
from pytest_pgfeatures.readiness.inputs.placeholders import with_parameters
from pytest_pgfeatures.readiness.inputs.several import each_statement
from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LEXERS = {
    ".py": "python", ".js": "javascript", ".jsx": "javascript", ".mjs": "javascript", ".cjs": "javascript",
    ".ts": "typescript", ".tsx": "typescript", ".go": "go", ".java": "java", ".rb": "ruby",
}  # fmt: skip
"""The supported languages, by suffix of the file."""
_FIRST_WORDS = frozenset(
    {
        "select", "insert", "update", "delete", "merge", "with", "values", "create", "alter", "drop",
        "grant", "revoke", "comment", "truncate", "copy", "explain", "do", "call", "refresh", "reindex",
        "vacuum", "analyze", "cluster", "lock", "set", "reset", "show", "listen", "notify", "table",
        "begin", "declare", "prepare", "execute", "import", "security", "reassign", "start", "discard",
        "fetch", "move", "checkpoint", "load", "savepoint",
    }
)  # fmt: skip
_ALSO_ENGLISH = frozenset(
    {
        "show", "set", "reset", "listen", "notify", "table", "lock", "analyze", "cluster", "fetch",
        "move", "load", "call", "execute", "do", "begin", "start", "discard", "checkpoint", "vacuum",
        "savepoint", "prepare", "declare",
    }
)  # fmt: skip
"""Short statements that begin with these words may be English: "Show more"."""
_LONG = 4
"""Tokens that occur in statements, but not in English."""
_WORDS = "|".join(sorted(_FIRST_WORDS))
_BEGINNING = re.compile(
    rf"""["'`](?>(?:[\s(]++|\\[nrt\n])*)(?:(?:{_WORDS})(?:[\s(*/\\-]|["'`]\s*+[+.\n])|--|/\*)"""
    # Ruby's %q(...), and here documents
    rf"""|%q?[^\w\s][\s(]*+(?:{_WORDS})\s"""
    rf"""|<<[~-]?["'`]?\w++(?:(?<=sql)|[^\n]*+\n[\s(]*+(?:(?:{_WORDS})[\s(*]|--|/\*))""",
    re.IGNORECASE,
)
"""A file without this has no statement. Pygments takes seconds for a megabyte, this some milliseconds."""
_OPENING = re.compile(r"[rRbBuUfFtT]{0,2}(\"\"\"|'''|\"|'|`)")
_PERCENT = re.compile(r"%[qQ]?[^\w\s]")
_JOINED = re.compile(r"(?>(?:[\s+.]++|\\\n|\)\s*+\.append\()*)")
_JOINED_VALUE = re.compile(
    r"\s*+(?:[+.]|\)\s*+\.append\()\s*+[$@]?+\w++(?>(?:(?:\.(?!append\()|->|::)\w++)*)"
    r"(?:\([\w., $>\-{}\[\]]*+\)|\[[\w'\"]*+\])?\s*+(?:[+.]|\)\s*+\.append\()\s*+"
)
_JOINT = re.compile(r"\+|append")
_VALUE_AFTER = re.compile(r"\s*+[+.]\s*+[$@]?+\w++")
_WORD = re.compile(r"\w")
_FORMATTED = re.compile(
    r"([=<>(,.]\s*+|\b(?:LIMIT|OFFSET|AND|BETWEEN|FROM|JOIN|INTO|TABLE|SET)\s++)%[dvq]\b"
    r"|(?>(?:%s)?)%[-+ #]?0?[1-9]\d*+(?:\.\d++)?[dfgqsvxX]\b",
    re.IGNORECASE,
)
"""Placeholders of ``fmt.Sprintf`` and the like, where a value or name must be."""
_IN_BRACES = re.compile(r"[{}]|'[^'\n]*+'|\"[^\"\n]*+\"")
_LONGEST_INTERPOLATION = 2000
_JOINING = re.compile(r"\s*+\.join\((?>(?:[^()]++|\([^()]*+\))*)\)")
"""``", ".join(names)`` after its literal."""
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\", "`": "`", "\n": ""}
_KEPT = {("python", "'"): "ntr\"'\\\n", ("python", '"'): "ntr\"'\\\n", ("ruby", "'"): "'\\"}
"""By language and quote, where a backslash before other characters stays: those before which it does not."""
_ALL = "*"
_INTERPOLATED = "%s"
_OF_PERL = r"[$@](?:[A-Za-z_]\w*+|\{[^{}]*+\})(?>(?:(?>(?:->)?)(?:\[[^\[\]]*+\]|\{[^{}]*+\}))*)"
_VARIABLES = {
    "perl": re.compile(_OF_PERL),
    "tcl": re.compile(r"\$(?:[A-Za-z_]\w*+|\{[^{}]*+\})(?>(?:\([^()]*+\))?)|\[[^\[\]]*+\]"),
}
"""Variables in literals of languages that interpolate them without braces, by language."""
_QUOTING = re.compile(r"(qq?)\s*+[^\w\s]")
"""Perl's q{...} and qq{...}."""
_BEYOND_PYGMENTS = {
    "perl": re.compile(r"<<~?\s*+([\"']?)(\w++)\1[^\n]*+\n(?P<text>(?>(?:(?!\s*+\2\b)[^\n]*+\n)*))\s*+\2\b"),
    "tcl": re.compile(r"\bspi_(?:exec|prepare)\b(?>(?:\s++-\w++\s++[^\s{}]++)*)\s++\{(?P<text>[^{}]*+)\}"),
}
"""Literals that Pygments does not see, or cuts elsewhere: here documents, and SQL in braces."""
_COMMENT_AT_END = re.compile(r"(?:#[^\n]*+\s*+)+\Z")
_LINE_BEFORE = 200
"""Characters before a literal that are looked at."""


@dataclass(slots=True)
class _Literal:
    """A literal: its characters, and for each of their lines, the line and column in the file."""

    start: int
    end: int
    text: str = ""
    lines: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)


def read_source(path: Path, name: str) -> Iterator[Query]:
    """The string literals of a file that may be statements. The server decides whether they are."""
    text = read_regular_text(path, errors="replace")
    if _BEGINNING.search(text) is None:
        return
    count = text.count("\n") + 1
    yield from sql_in(
        Query(text, "source code", name, tuple(range(1, count + 1))), LEXERS[path.suffix.lower()]
    )


def sql_in(code: Query, language: str) -> Iterator[Query]:
    """The string literals of a program that may be statements.

    Parameters:
        code: the program, with its lines in the user's file.
        language: Pygments' name of its language.
    """
    for literal in _joined(code.sql, list(_literals(code.sql, language))):
        if not _may_be_sql(literal.text):
            continue
        sql, names = with_parameters(_without_braces(_FORMATTED.sub(_placeholder, literal.text)))
        lines = tuple(code.lines[line - 1] for line in literal.lines)
        before = [code.columns[line - 1] - 1 if code.columns else 0 for line in literal.lines]
        columns = tuple(map(sum, zip(literal.columns, before, strict=True)))
        whole = replace(code, sql=sql, kind="source code", lines=lines, columns=columns, names=names)
        yield from each_statement(whole)


def _placeholder(match: re.Match[str]) -> str:
    return f"{match[1] or ''}%s"


def _may_be_sql(text: str) -> bool:
    significant = (token for token in tokens(text) if token.significant)
    beginning = [token for token, _ in zip(significant, range(_LONG), strict=False)]
    if len(beginning) < 2:
        return False
    first = beginning[0]
    if first.text == "(":
        return beginning[1].keyword in ("select", "with", "values")
    word = first.keyword
    if word not in _FIRST_WORDS:
        return False
    return word not in _ALSO_ENGLISH or len(beginning) == _LONG or first.text.isupper()


def _literals(text: str, language: str) -> Iterator[_Literal]:
    """The literals of a file, one by one."""
    from pygments.lexers import get_lexer_by_name
    from pygments.token import Comment, String

    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    other = _BEYOND_PYGMENTS.get(language)
    beyond = list(other.finditer(text)) if other else []
    first_taken = [match.start() for match in beyond]
    spans: list[list[int]] = []
    depth = 0
    documentation = (String.Regex, String.Symbol, String.Char, String.Delimiter)
    for index, kind, value in lexer.get_tokens_unprocessed(text):
        inside = depth > 0
        if kind in String.Interpol and not _is_format(value):
            depth += 1 if value.endswith("{") else -1 if value == "}" else 0
            inside = True
        if kind in String.Doc:
            is_string = not _is_docstring(text, index)
        else:
            is_string = (
                kind in String and not any(kind in other for other in documentation) and kind not in Comment
            )
        end = index + len(value)
        if not (is_string or inside) or not value:
            continue
        taken = bisect.bisect_left(first_taken, end)
        if taken and beyond[taken - 1].end() > index:
            continue
        if spans and spans[-1][1] == index:
            spans[-1][1] = end
        else:
            spans.append([index, end])
    for start, end in sorted((*map(tuple, spans), *(match.span("text") for match in beyond))):
        yield from _read(text, start, end, starts, language)


def _is_docstring(text: str, start: int) -> bool:
    """Whether a literal that begins a line stands alone: on the line before is no ``execute(`` or ``=``."""
    before = _COMMENT_AT_END.sub("", text[max(0, start - _LINE_BEFORE) : start]).rstrip()
    return not before.endswith(("(", ",", "=", "[", "{", "+", "\\", '"', "'"))


def _is_format(value: str) -> bool:
    """Whether an interpolation in Pygments' sense is a placeholder: ``%s``, ``{0}``."""
    return value.startswith("%") or (value.startswith("{") and value.endswith("}"))


def _read(text: str, start: int, end: int, starts: list[int], language: str) -> Iterator[_Literal]:
    """The adjacent literals in a span of the file."""
    position = start
    variables = _VARIABLES.get(language)
    quoting = _QUOTING.match(text, start, end) if variables else None
    if quoting is not None:
        some = variables if quoting[1] == "qq" else None
        yield _content(
            text, start, quoting.end(), end - 1, end, starts, escapes=_ALL if some else "", variables=some
        )
        return
    while position < end:
        opening = _OPENING.match(text, position, end)
        if opening is None:  # a heredoc of Ruby has no quotes, and %q( ) other ones
            percent = _PERCENT.match(text, position, end)
            begin, close = (percent.end(), end - 1) if percent else (position, end)
            yield _content(text, position, begin, close, end, starts, escapes="", variables=variables)
            return
        quote = opening[1]
        raw = "r" in opening[0].lower() or (quote == "`" and language == "go")
        close = _closing(text, opening.end(), end, quote, raw=raw)
        some = variables if quote == '"' else None
        escapes = "" if raw else _KEPT.get((language, quote[0]), _ALL)
        yield _content(
            text, position, opening.end(), close, close + len(quote), starts, escapes=escapes, variables=some
        )
        position = close + len(quote)


def _closing(text: str, position: int, end: int, quote: str, *, raw: bool) -> int:
    while position < end:
        if text[position] == "\\" and not raw:
            position += 2
        elif text.startswith(quote, position):
            return position
        elif text.startswith(("${", "#{"), position) and (after := _after_braces(text, position + 1, end)):
            position = after
        else:
            position += 1
    return end


def _after_braces(text: str, opening: int, end: int) -> int:
    """The index after the brace that closes the one at an index; 0 if none does. Braces in strings don't count."""
    depth = 0
    for match in _IN_BRACES.finditer(text, opening, min(end, opening + _LONGEST_INTERPOLATION)):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return 0


def _content(
    text: str,
    start: int,
    begin: int,
    close: int,
    end: int,
    starts: list[int],
    *,
    escapes: str,
    variables: re.Pattern[str] | None = None,
) -> _Literal:
    """The characters of a literal, with escapes resolved, and with placeholders for interpolations.

    Parameters:
        escapes: the characters before which a backslash is an escape; :data:`_ALL` for any.
    """
    literal = _Literal(start, end)

    def mark(index: int) -> None:
        line = bisect.bisect_right(starts, index)
        literal.lines.append(line)
        literal.columns.append(index - starts[line - 1] + 1)

    mark(begin)
    parts: list[str] = []
    position = begin
    while position < close:
        character = text[position]
        step = 1
        if (
            character == "\\"
            and escapes
            and position + 1 < close
            and (escapes == _ALL or text[position + 1] in escapes)
        ):
            character, step = _ESCAPES.get(text[position + 1], text[position + 1]), 2
        elif text.startswith(("${", "#{"), position) and (stop := _after_braces(text, position + 1, close)):
            beside = text[position - 1 : position] + text[stop : stop + 1]
            character, step = "x" if _WORD.search(beside) else _INTERPOLATED, stop - position
        elif variables is not None and (variable := variables.match(text, position, close)):
            character, step = _INTERPOLATED, variable.end() - position
        parts.append(character)
        position += step
        if character == "\n":
            mark(position)
    literal.text = "".join(parts)
    return literal


def _joined(text: str, literals: list[_Literal]) -> Iterator[_Literal]:
    """The literals. Those that the program joins become one."""
    current: _Literal | None = None
    for literal in literals:
        if current is not None:
            between = text[current.end : literal.start]
            joining = _JOINING.match(text, literal.end)
            if joining is not None and _JOINED.fullmatch(between) and "+" in between:
                literal.text, literal.end = _INTERPOLATED, joining.end()
                literal.lines, literal.columns = literal.lines[:1], literal.columns[:1]
            if _JOINED.fullmatch(between) and between.count("\n") <= len(_JOINT.findall(between)) + 1:
                _append(current, "", literal)
                continue
            if _JOINED_VALUE.fullmatch(between):
                _append(current, _INTERPOLATED, literal)
                continue
            yield _ended(text, current)
        current = literal
    if current is not None:
        yield _ended(text, current)


def _append(current: _Literal, between: str, literal: _Literal) -> None:
    """Append a literal to the current one. If it begins on a later line of the file, a newline replaces white space
    between the two, so that its place is kept."""
    if literal.lines[0] != current.lines[-1] and current.text[-1:].isspace():
        current.text = current.text[:-1] + "\n" + between + literal.text
        current.lines += literal.lines
        current.columns += literal.columns
    elif literal.lines[0] != current.lines[-1] and literal.text[:1].isspace():
        current.text += between + "\n" + literal.text[1:]
        current.lines += literal.lines
        current.columns += literal.columns
    else:
        current.text += between + literal.text
        current.lines += literal.lines[1:]
        current.columns += literal.columns[1:]
    current.end = literal.end


def _ended(text: str, literal: _Literal) -> _Literal:
    bare = literal.text.rstrip()
    if (bare.endswith(("=", "<", ">", "(")) or bare != literal.text) and _VALUE_AFTER.match(
        text, literal.end
    ):
        literal.text += _INTERPOLATED + (")" if bare.endswith("(") else "")
    return literal


def _without_braces(sql: str) -> str:
    """The text with a placeholder for each ``{name}`` outside of quotes, where SQL has no braces."""
    if "{" not in sql:
        return sql
    parts: list[str] = []
    depth = 0
    for token in tokens(sql):
        if token.text == "{":
            depth += 1
            if depth == 1:
                parts.append("x" if _WORD.search(sql, token.start - 1, token.start) else _INTERPOLATED)
        elif token.text == "}" and depth:
            depth -= 1
            if not depth and _WORD.match(sql, token.end):
                parts[-1] = "x"
        elif not depth:
            parts.append(token.text)
    return "".join(parts)
