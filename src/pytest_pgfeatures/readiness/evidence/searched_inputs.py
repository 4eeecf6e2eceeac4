"""An application's inputs, with the names of its own objects and the bodies of its functions."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from pytest_pgfeatures.affects import Body
from pytest_pgfeatures.readiness.application import Application
from pytest_pgfeatures.readiness.evidence.subjects import LONGER, LONGEST_BODY, Hit, compiled, hit_at
from pytest_pgfeatures.readiness.inputs.configuration import without_others
from pytest_pgfeatures.readiness.inputs.placeholders import NAME_FILLED_IN
from pytest_pgfeatures.readiness.inputs.texts import blanked, written_by
from pytest_pgfeatures.readiness.inputs.yaml_files import SUFFIXES
from pytest_pgfeatures.readiness.model import Place, Query
from pytest_pgfeatures.readiness.names import Names, read_catalogs, read_statement
from pytest_pgfeatures.readiness.servers.analyzed import Servers
from pytest_pgfeatures.readiness.statements.context import StatementContext, without_schema
from pytest_pgfeatures.readiness.statements.embedded import embedded, routine_of
from pytest_pgfeatures.readiness.statements.reading import StatementReading
from pytest_pgfeatures.readiness.statements.settings import role_is_set
from pytest_pgfeatures.sql import tokens

Row = tuple[object, ...]


def _without_texts(sql: str) -> str:
    """A text of SQL with spaces in place of comments and constants."""
    return "".join(
        token.text if token.significant and token.kind != "string" else blanked(token.text)
        for token in tokens(sql)
    )


_NO_CODE = re.compile(
    r"\b(?:https?|ftp|mysql|mariadb|redis|amqp|mongodb)(?:\+\w+)?://[^\s'\"]*+"
    r"|(?:(?:^|(?<=[ \t;]))#|^[ \t]*--[ \t]|\\(?:q?echo|warn)\s).*|\bcomment\s+on\s[^;\n]*?\sis\s+'[^'\n]*+'",
    re.IGNORECASE | re.MULTILINE,
)
"""URLs that are no connection strings of PostgreSQL, comments, also of objects, and what psql prints."""
_BOUND = re.compile(
    r"\b(\w+)\s+(?:no\s+)?(?:scroll\s+)?cursor\b(?=[^;]*\b(?:for|is)\b)(?![\s\S]*\b\1\s*:=)", re.IGNORECASE
)
"""The declaration of a bound cursor in PL/pgSQL, to which the body assigns no name."""


class SearchedScript:
    """The lines of a script: as written, those that are code, and those that may set something of PostgreSQL."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.excerpts = [line.strip() for line in text.split("\n")]
        is_yaml = written_by(Path(file)).suffix.lower() in SUFFIXES
        self.code, self.settings = (
            _NO_CODE.sub(lambda found: blanked(found[0]), form).split("\n")
            for form in (without_others(text, file) if is_yaml else (text, text))
        )


class SearchedInputs:
    """The inputs, read once."""

    def __init__(
        self, application: Application, rows: Callable[[str], Iterable[Row]] | None, servers: Servers
    ) -> None:
        self._servers = servers
        self.application = application
        self.rows = rows
        self.settings = tuple(use for use in application.settings if use.kind != "statement")
        """The settings in files and in programs' options."""
        self.scripts = [SearchedScript(file, text) for file, text in application.texts]
        self.catalogs: Mapping[str, Mapping[Row, Query | None]] = {}
        """By catalog query: its rows, with the definition among the queries after which it returns them."""
        self.own = Names()
        self.count = 0
        self.in_part: list[tuple[Place, str]] = []  # statements of which a part is not read, and why
        self.bodies: list[tuple[str, Query, str]] = []
        """By PL/pgSQL function: its name, its body, and the body's text without comments and constants."""
        self.without_schema: dict[str, tuple[Query, int]] = {}
        """By function that relies on search_path: the first name without schema in it, which is to be changed."""
        if rows is not None:
            read_catalogs(self.own, rows)
        for query in application.queries:
            is_own = query.sql.lstrip()[:6].lower() in ("create", "alter ", "set se")
            if is_own and not (query.kind == "source code" and NAME_FILLED_IN.search(query.sql)):
                read_statement(self.own, query)
        for query in application.queries:  # now that all names are known
            routine = routine_of(query)
            body = routine.body if routine and routine.language == "plpgsql" else None
            if body and len(body.sql) > LONGEST_BODY:
                self.in_part.append((body.place(0), f"{LONGER.format(LONGEST_BODY)} a body"))
            elif routine and body:
                self.bodies.append((routine.name, body, _without_texts(body.sql)))
                self.own.named["cursor"].update(name.lower() for name in _BOUND.findall(self.bodies[-1][2]))
            if routine and routine.name and "search_path" not in StatementReading(query).positions:
                for each in embedded(query):
                    context = StatementContext(each, self.own, servers)
                    for at in without_schema(context):
                        self.own.named["path-function"].add(routine.name)
                        self.without_schema.setdefault(routine.name, (each, context.excerpt_index(at)))

    def statements(self, progress: Callable[[int, int], object]) -> Iterator[StatementContext]:
        """All statements, including those in bodies, which ``progress`` does not count."""
        queries = self.application.queries
        as_role: dict[str, bool] = {}
        for number, query in enumerate(queries, start=1):
            progress(number, len(queries))
            for each in (query, *embedded(query)):
                is_set = as_role.get(query.file, False)
                context = StatementContext(each, self.own, self._servers, as_role=is_set)
                yield context
                sets = role_is_set(context)
                as_role[query.file] = is_set if sets is None else sets

    @functools.cached_property
    def _definitions(self) -> list[StatementReading]:
        readings = (StatementReading(query) for query in self.application.queries if query.kind == "schema")
        return [reading for reading in readings if reading.keyword(0) in ("create", "alter")]

    def definition(self, names: Sequence[str], at: Iterable[str]) -> StatementReading | None:
        """The definition in the schema files that has the first name, and most of the other ones and words."""
        having = [each for each in self._definitions if names and names[0] in each.positions]
        return max(having, key=lambda each: len(each.positions.keys() & {*names, *at}), default=None)


def of_body(kind: Body, searched: SearchedInputs) -> Iterator[Hit]:
    """The places in bodies of functions that match the evidence."""
    pattern = compiled(kind.pattern)
    trigger = "trigger" if "trigger" in pattern.groupindex else 0
    for name, body, text in searched.bodies:
        events = [event for event, _ in searched.own.triggers.get(name, ())]
        if kind.event in (None, *events) and not (kind.unless and compiled(kind.unless).search(text)):
            yield from (hit_at(kind, body, found.start(trigger)) for found in pattern.finditer(text))
