"""Find SQL in the literals of source code, and in values of INI, YAML and XML: statements by their first words, and
expressions by PostgreSQL's grammar, ``"extract(dow from placed_at)"``, which a program puts into a statement."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.inputs.files import written
from pytest_pgfeatures.readiness.inputs.languages import language_of
from pytest_pgfeatures.readiness.inputs.placeholders import with_parameters
from pytest_pgfeatures.readiness.inputs.program_texts import texts_of
from pytest_pgfeatures.readiness.inputs.sql_files import each_statement, read_by_psql
from pytest_pgfeatures.readiness.inputs.texts import Text, place_in
from pytest_pgfeatures.readiness.inputs.xml_files import texts_in_xml
from pytest_pgfeatures.readiness.inputs.yaml_files import last_key, nodes, written_scalar
from pytest_pgfeatures.readiness.model import Place, Query
from pytest_pgfeatures.readiness.statements.embedded import routine_of
from pytest_pgfeatures.readiness.statements.grammar import nodes_in, parse, words
from pytest_pgfeatures.readiness.statements.reading import may_be_statement

_SQL_KEYS = frozenset({"query", "sql", "statement"})
"""Keys of YAML whose values are statements if they begin as one."""
_QUOTED = re.compile(r"=\s*+'((?>(?:[^']++|'')*))'")
_OPTIONS = re.compile(r"(?>(?:\s*+-c\s*+[\w.]++=[^\s']++)+)\s*+")  # the options of a connection
_OPTION = re.compile(r"-c\s*+([^\s]++)")
_LANGUAGES = {
    "plpython3u": "python", "plpython2u": "python", "plpythonu": "python", "plperl": "perl", "plperlu": "perl",
    "pltcl": "tcl", "pltclu": "tcl", "plv8": "javascript",
}  # fmt: skip
"""Languages of routines, as languages of programs."""

SELECT = "SELECT "
_LONGEST = 4000
_SIGNS = re.compile(r"(?=[^A-Za-z_]*+[A-Za-z_])(?s:.*?)(?:[(@~=<>!|/*%^&#?+]|::|[\w\s]-[\w\s]|\w\s++')")
"""The beginning of a text that has a word, and a sign that calls and operators have. Parsing it takes longer."""
_JUNK = re.compile(r"\b\d++(?=[A-Za-z]{2})")  # a number before a key word: servers up to 14 need no space
_PLAIN = frozenset({"ColumnRef", "A_Const", "ParamRef"})
_OF_A_QUERY = frozenset({"targetList", "limitOption", "op"})
"""The fields of a query that consists of expressions."""


def read_source(path: Path, name: str) -> Iterator[Query]:
    """The literals and values of a file that may be statements. The server decides whether they are."""
    raw = written(path, name)
    text = raw.decode("utf-8", "replace")
    match path.suffix.lower():
        case ".xml":
            return statements_of(texts_in_xml(raw, name), name)
        case ".ini":
            return statements_of(_texts_in_ini(text, name), name)
        case ".yml" | ".yaml" | ".json":
            return statements_in_yaml(text, name)
    return statements_of(texts_of(text, language_of(path) or ""), name)


def _texts_in_ini(text: str, name: str) -> Iterator[Text]:
    """The values of an INI file, and the quoted values in them, as in connection strings."""
    import iniconfig

    lines = text.split("\n")
    try:
        sections = iniconfig.IniConfig(name, text)
    except iniconfig.ParseError as error:
        raise PgFeaturesError(f"{name}:{error.lineno + 1}: {error.msg}", remedy="name other files") from None
    for section in sections:
        for key, value in section.items():
            line = section.lineof(key) or 1
            column = lines[line - 1].find(value.partition("\n")[0]) + 1
            yield Text.at((line, column), value)
            for part in _QUOTED.finditer(value) if "\n" not in value else ():
                yield Text.at((line, column + part.start(1)), part[1])


def statements_in_yaml(text: str, name: str) -> Iterator[Query]:
    """The values in the text of a file that may be statements, but for those for other database systems."""
    # programs write JSON, too: the servers decide
    certain = frozenset() if name.lower().endswith(".json") else _SQL_KEYS
    for node, keys, _, not_ours in nodes(text, name):
        key = last_key(keys)
        is_file = key.endswith(".sql")
        if node.id != "scalar" or not_ours or not (is_file or may_be_statement(node.value)):
            continue
        said, start = written_scalar(node, text)
        found = Text.at(place_in(text, start), said)
        has_escapes = node.start_mark.line == node.end_mark.line and "\n" in said
        if has_escapes:
            found.places = found.places[:1] * len(found.places)
        if is_file or (key in certain and not has_escapes):
            yield from read_by_psql(said, Place(name, *found.places[0]))
        else:
            yield from statements_of([found], name)


def statements_of(texts: Iterable[Text], name: str) -> Iterator[Query]:
    """The statements and expressions in texts of a file, with their kind and a SELECT that it does not have."""
    for found in texts:
        is_statement, is_short = may_be_statement(found.text), len(found.text) <= _LONGEST
        if not is_statement and not (is_short and "--" not in found.text and _SIGNS.match(found.text)):
            continue
        sql, names = with_parameters(found.text)
        is_options = _OPTIONS.fullmatch(sql) is not None
        if not is_statement and not is_options and columns_of(sql) is None:
            continue
        lines, columns = zip(*found.places, strict=True)
        whole = Query(sql, "source code", name, lines, columns, names=names)
        if is_statement:
            yield from each_statement(whole)
        elif is_options:
            yield from (whole.part(*option.span(1), "SET ") for option in _OPTION.finditer(sql))
        else:
            yield replace(whole.part(0, len(sql), SELECT), kind="expression")


def columns_of(text: str) -> dict[str, set[str]] | None:
    """The names of the columns in the expressions after SELECT, by their qualifiers, which may be empty.

    None if they are none by PostgreSQL's grammar, have no column, parameter, cast or text, or are only names and
    constants.
    """
    try:
        statements, refused = parse(SELECT + _JUNK.sub(r"\g<0> ", text))
    except RecursionError:
        return None
    query = statements[0]["stmt"].get("SelectStmt", {}) if refused is None and len(statements) == 1 else {}
    targets = query.get("targetList", [])
    if not targets or query.keys() - _OF_A_QUERY:
        return None
    values = [target["ResTarget"]["val"] for target in targets]
    columns: dict[str, set[str]] = {}
    is_no_english = False
    for name, node, _ in nodes_in({"": values}):
        names = words(node["fields"]) if name == "ColumnRef" else []
        if name == "SubLink" or "*" in names or len(names) > 2:
            return None
        if names:
            columns.setdefault("".join(names[:-1]), set()).add(names[-1])
        is_text = name == "A_Const" and "sval" in node
        is_no_english = is_no_english or is_text or name in ("ParamRef", "TypeCast")
    is_call = any(value.keys() - _PLAIN for value in values)
    return columns if is_call and (columns or is_no_english) else None


def literals_in_routines(queries: Iterable[Query], problems: list[str]) -> Iterator[Query]:
    """The string literals in bodies of routines that may be statements, with their lines in the user's file."""
    for query in queries:
        found = routine_of(query)
        if found is None or found.body is None or found.language not in _LANGUAGES:
            continue
        body = found.body
        try:
            for text in texts_of(body.sql, _LANGUAGES[found.language]):
                begins = [*zip(body.lines, body.columns, strict=True)]
                starts = ((begins[line - 1], column) for line, column in text.places)
                text.places = [(line, before - 1 + column) for (line, before), column in starts]
                for each in statements_of([text], query.file):
                    yield replace(each, inside=body.inside, settings=body.settings, temporary=body.temporary)
        except PgFeaturesError as error:
            problem = f"{query.file}: {error.problem}"
            if problem not in problems:
                problems.append(problem)
