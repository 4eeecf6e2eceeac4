"""Find SQL in the string literals of source code, by its first words."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import ExtraMissingError, PgFeaturesError
from pytest_pgfeatures.readiness.inputs.expressions import SELECT, has_signs, may_be_expression
from pytest_pgfeatures.readiness.inputs.files import written
from pytest_pgfeatures.readiness.inputs.languages import language_of
from pytest_pgfeatures.readiness.inputs.other_systems import are_others
from pytest_pgfeatures.readiness.inputs.placeholders import with_parameters
from pytest_pgfeatures.readiness.inputs.program_texts import texts_of
from pytest_pgfeatures.readiness.inputs.several import each_statement
from pytest_pgfeatures.readiness.inputs.snippets import OF_PEOPLE
from pytest_pgfeatures.readiness.inputs.sql_files import SqlReader
from pytest_pgfeatures.readiness.inputs.texts import Text
from pytest_pgfeatures.readiness.inputs.yaml_files import documents, entries, nested
from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.statements.commands import may_be_statement
from pytest_pgfeatures.readiness.statements.embedded import routine_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from pytest_pgfeatures.install import Resolver
    from pytest_pgfeatures.readiness.model import Problems

SQL_KEYS = frozenset({"query", "sql", "statement"})
"""Keys of YAML whose values are statements if they begin as one."""
_SYSTEMS = frozenset({"dbms", "image"})
"""Keys of YAML whose values name database systems."""
_QUOTED = re.compile(r"=\s*+'((?>(?:[^']++|'')*))'")
"""A quoted value in a value, as in connection strings."""
_LANGUAGES = {
    "plpython3u": "python", "plpython2u": "python", "plpythonu": "python", "plperl": "perl", "plperlu": "perl",
    "pltcl": "tcl", "pltclu": "tcl", "plv8": "javascript",
}  # fmt: skip
"""Languages of routines, as languages of programs."""


def read_source(path: Path, name: str) -> Iterator[Query]:
    """The string literals of a file that may be statements. The server decides whether they are.

    Raises:
        ExtraMissingError: the grammar of its language is not installed.
        PgFeaturesError: it is too large for a source file.
    """
    language = language_of(path)
    assert language is not None
    yield from sql_in(_whole(path, name), language)


def read_ini(path: Path, name: str) -> Iterator[Query]:
    """The values of an INI file that may be statements.

    Raises:
        PgFeaturesError: it has other lines than sections, values and comments, or is too large.
    """
    import iniconfig

    file = _whole(path, name)
    written = file.sql.split("\n")
    texts = []
    try:
        for section in iniconfig.IniConfig(name, file.sql):
            for key, value in section.items():
                line = section.lineof(key) or 1
                column = written[line - 1].find(value.partition("\n")[0]) + 1
                texts.append(Text().add(value, line, column))
                for part in _QUOTED.finditer(value) if "\n" not in value else ():
                    texts.append(Text().add(part[1], line, column + part.start(1)))
    except iniconfig.ParseError as error:
        raise PgFeaturesError(f"{name}:{error.lineno + 1}: {error.msg}", remedy="name other files") from None
    yield from statements_of(texts, file)


def read_yaml(path: Path, name: str) -> Iterator[Query]:
    """The values in YAML or JSON that may be statements.

    Raises:
        PgFeaturesError: it isn't valid, or is too large.
        ExtraMissingError: PyYAML is missing.
    """
    is_json = path.suffix.lower() == ".json"  # other programs write it, too: the servers decide
    yield from statements_in_yaml(_whole(path, name).sql, name, frozenset() if is_json else SQL_KEYS)


def statements_in_yaml(text: str, name: str, certain: Collection[str] = SQL_KEYS) -> Iterator[Query]:
    """The values in the text of a YAML file that may be statements, but for those for other database systems.

    Parameters:
        certain: keys whose values are statements if they begin as one.
    """
    file = Query(text, "source code", name, tuple(range(1, text.count("\n") + 2)))
    waiting, seen = [("", each) for each in documents(text, name)][::-1], dict[int, Any]()
    while waiting:
        key, node = waiting.pop()
        if id(node) in seen:
            continue
        seen[id(node)] = node
        inside = entries(node)
        if any(
            each in _SYSTEMS and value.id == "scalar" and are_others(value.value) for each, _, value in inside
        ):
            continue
        is_file = key.endswith(".sql")
        if node.id == "scalar" and (is_file or may_be_statement(node.value)):
            found = _text_of(node, text)
            if is_file or (key in certain and len({*found.lines}) == len(found.lines)):
                reader = SqlReader("script", _no_archive)
                yield from (each.query for each in reader.text(found.text, name, Path(), found.lines[0]))
            else:
                yield from statements_of([found], file)
        elif (inner := nested(node, text, name)) is not None:
            waiting.append((key, inner))
        waiting += (
            (one or key, value)
            for one, _, value in reversed(inside)
            if one.lower() not in OF_PEOPLE and not are_others(one)
        )


def _no_archive() -> Resolver:
    raise AssertionError("a text is no archive")


def _text_of(node: Any, text: str) -> Text:
    """A scalar with its lines."""
    first, written = node.start_mark, text[node.start_mark.index : node.end_mark.index]
    if "\n" not in written.rstrip():
        count = node.value.count("\n") + 1
        return Text(
            node.value, [first.line + 1] * count, [first.column + 1 + bool(node.style)] + [1] * (count - 1)
        )
    begin = written.find("\n") + 1 if node.style in ("|", ">") else bool(node.style)
    found = written[begin:] if node.style in ("|", ">") else written.strip("'\"")
    line = first.line + 1 + (node.style in ("|", ">"))
    column = 1 if node.style in ("|", ">") else first.column + 1 + bool(node.style)
    count = found.count("\n")
    return Text(found, list(range(line, line + count + 1)), [column, *[1] * count])


def _whole(path: Path, name: str) -> Query:
    text = written(path, name).decode("utf-8", "replace")
    return Query(text, "source code", name, tuple(range(1, text.count("\n") + 2)))


def sql_in(code: Query, language: str) -> Iterator[Query]:
    """The string literals of a program that may be statements.

    Parameters:
        code: the program, with its lines in the user's file.
        language: the name of its language.

    Raises:
        ExtraMissingError: the grammar of the language is not installed.
    """
    yield from statements_of(texts_of(code.sql, language), code)


def statements_of(texts: Iterable[Text], file: Query) -> Iterator[Query]:
    """The statements in texts that may be statements, and the expressions in those that may be expressions.

    An expression gets the kind ``expression``, with SELECT before it, which the file does not have.

    Parameters:
        file: the file, or the program in it, that has the texts, with its lines.
    """
    for found in texts:
        is_statement = may_be_statement(found.text)
        if not is_statement and not has_signs(found.text):
            continue
        sql, names = with_parameters(found.text)
        if not is_statement and not may_be_expression(sql):
            continue
        lines = tuple(file.lines[line - 1] for line in found.lines)
        before = [file.columns[line - 1] - 1 if file.columns else 0 for line in found.lines]
        columns = tuple(map(sum, zip(found.columns, before, strict=True)))
        whole = replace(file, sql=sql, kind="source code", lines=lines, columns=columns, names=names)
        if is_statement:
            yield from each_statement(whole)
        else:
            yield replace(whole.part(0, len(sql), SELECT), kind="expression")


def literals_in_routines(queries: Iterable[Query], problems: Problems) -> Iterator[Query]:
    """The string literals in bodies of routines that may be statements, with their lines in the user's file.

    Parameters:
        problems: gets a line for each language whose grammar is missing.
    """
    for query in queries:
        found = routine_of(query)
        if found is None or found.body is None or found.language not in _LANGUAGES:
            continue
        try:
            yield from sql_in(found.body, _LANGUAGES[found.language])
        except ExtraMissingError as error:
            problem = f"{query.file}: {error.problem}"
            if problem not in problems:
                problems.append(problem)
