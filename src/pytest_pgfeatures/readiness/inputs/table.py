"""The options that give inputs: the values that each takes, and the stages that look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.model import Input, StageName


class InputOption(NamedTuple):
    """An option.

    Parameters:
        name: of the option in Python and in files.
        kind: of the input; other options may give the same.
        takes: the kind of its value, with ``...`` for several words.
        text: the description for ``--help``.
        stages: the stages that look at it, beside ``incompatibilities``.
        several: whether it can be given several times.
    """

    name: str
    kind: Input
    takes: str
    text: str
    stages: tuple[StageName, ...]
    several: bool = True

    @property
    def flag(self) -> str:
        """The option on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def is_paths(self) -> bool:
        """Whether it takes files or directories, several after one option."""
        return self.takes.endswith("...")


_SCHEMA: tuple[StageName, ...] = ("settings", "schema", "queries")
_DATA: tuple[StageName, ...] = ("schema", "plans", "results", "upgrade")
INPUTS = (
    InputOption("schema", "schema", "PATH...", "Dumps, SQL files, directories of migrations.", _SCHEMA),
    InputOption("setup", "schema", "COMMAND", "Creates the schema; gets PGHOST, ...", _SCHEMA),
    InputOption(
        "queries", "queries", "PATH...", "SQL files, pg_stat_statements as CSV or JSON, server logs, source code.",
        ("settings", "queries"),
    ),
    InputOption("config", "config", "FILE...", "postgresql.conf.", ("settings",)),
    InputOption("hba", "hba", "FILE...", "pg_hba.conf.", ("settings",)),
    InputOption("ident", "ident", "FILE...", "pg_ident.conf.", ("settings",)),
    InputOption(
        "scripts", "scripts", "PATH...",
        "Shell, YAML, makefiles, Dockerfiles, Jenkins- and Procfiles, units, crontabs.", ("settings",),
    ),
    InputOption("data", "data", "PATH...", "SQL or COPY files.", _DATA),
    InputOption("data_command", "data", "COMMAND", "Loads data; gets PGHOST, PGPORT, ...", _DATA),
    InputOption(
        "statistics", "statistics", "FILE", "What pgfeatures statistics exported, for plans.", ("plans",),
        several=False,
    ),
    InputOption("database", "database", "DSN", "A live database, which is only read.", ("plans",), several=False),
    InputOption(
        "run", "run", "COMMAND", "Runs your tests on servers of both versions; gets PGHOST, ...", ("suite",),
        several=False,
    ),
)  # fmt: skip


def looked_at_by(stage: StageName) -> frozenset[str]:
    """The kinds of inputs that a stage looks at, of which it needs at least one; empty if it needs none."""
    return frozenset(row.kind for row in INPUTS if stage in row.stages)
