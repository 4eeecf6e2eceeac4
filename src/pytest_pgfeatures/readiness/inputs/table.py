"""The options that give inputs: the values that each takes, its reader, and the stages that look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.model import Input, StageName


class InputOption(NamedTuple):
    """An option."""

    name: str
    kind: Input  # of the input; other options may give the same
    takes: str  # the kind of its value, with ... for several words
    text: str  # the description for --help
    stages: tuple[StageName, ...]  # that look at it, beside incompatibilities
    reader: str = ""  # the module and function that read one value; empty for commands
    several: bool = True  # whether it can be given several times

    @property
    def flag(self) -> str:
        """The option on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def is_paths(self) -> bool:
        """Whether it takes files or directories, several after one option."""
        return self.takes.endswith("...")

    def given(self, options: object) -> tuple[str, ...]:
        """The values that options have for it."""
        value = getattr(options, self.name)
        return value if self.several else (value,) if value else ()


_SCHEMA: tuple[StageName, ...] = ("settings", "schema", "queries")
_DATA: tuple[StageName, ...] = ("schema", "plans", "results", "upgrade")
INPUTS = (
    InputOption(
        "schema", "schema", "PATH...", "Dumps, SQL files, directories of migrations.", _SCHEMA,
        "sql_files:read_schema",
    ),
    InputOption("setup", "schema", "COMMAND", "Creates the schema; gets PGHOST, ...", _SCHEMA),
    InputOption("data", "data", "PATH...", "SQL or COPY files.", _DATA, "sql_files:read_schema"),
    InputOption("data_command", "data", "COMMAND", "Loads data; gets PGHOST, PGPORT, ...", _DATA),
    InputOption(
        "queries", "queries", "PATH...", "SQL files, pg_stat_statements as CSV or JSON, server logs, source code.",
        ("settings", "queries"), "queries:read_queries",
    ),
    InputOption(
        "config", "config", "FILE...", "postgresql.conf.", ("settings",), "configuration:read_configuration"
    ),
    InputOption("hba", "hba", "FILE...", "pg_hba.conf.", ("settings",), "access:read_access"),
    InputOption("ident", "ident", "FILE...", "pg_ident.conf.", ("settings",), "access:read_access"),
    InputOption(
        "scripts", "scripts", "PATH...",
        "Shell, YAML, makefiles, Dockerfiles, Jenkins- and Procfiles, units, crontabs.", ("settings", "queries"),
        "programs:read_scripts",
    ),
    InputOption(
        "statistics", "statistics", "FILE", "What pgfeatures statistics exported, for plans.", ("plans",),
        "production:read_export", several=False,
    ),
    InputOption(
        "database", "database", "DSN", "A live database, which is only read.", ("plans",),
        "production:read_database", several=False,
    ),
    InputOption(
        "run", "run", "COMMAND", "Runs your tests on servers of both versions; gets PGHOST, ...", ("suite",),
        several=False,
    ),
)  # fmt: skip
"""The options in the order in which they are read: what is queried comes after what is loaded."""
