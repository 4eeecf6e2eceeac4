"""The planner's knowledge of a database: sizes of relations, statistics of columns, settings, and the schema."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from pytest_pgfeatures.version import PgMajor

BLOCK = 8192
"""The size of a page in bytes, unless a server was built with another one
(https://www.postgresql.org/docs/current/runtime-config-preset.html#GUC-BLOCK-SIZE)."""

MCV, HISTOGRAM, CORRELATION, MCELEM, DECHIST, RANGE_LENGTHS, RANGE_BOUNDS = range(1, 8)
"""Kinds of statistics: the STATISTIC_KIND_ constants of
https://www.postgresql.org/docs/current/catalog-pg-statistic.html."""
KINDS = range(MCV, RANGE_BOUNDS + 1)
"""The kinds that PostgreSQL itself collects; extensions use larger numbers."""

UNKNOWN_IS_NEGATIVE = VersionSet(">=14")
"""reltuples is -1 before the first VACUUM: https://www.postgresql.org/docs/release/14.0/."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One kind of statistics of a column.

    Parameters:
        kind: ``stakind``.
        numbers: ``stanumbers`` as text, such as ``{0.5,0.25}``; None if there are none.
        values: ``stavalues`` as text; None if there are none.
        operator: for a kind that an extension collects, its operator as ``regoperator`` prints it. For other
            kinds, the column's type determines it.
    """

    kind: int
    numbers: str | None = None
    values: str | None = None
    operator: str | None = None


@dataclass(frozen=True, slots=True)
class ColumnStatistics:
    """The statistics of a column, or of an expression of an index: a row of ``pg_statistic``.

    Parameters:
        name: the column's name.
        type: its type, as ``format_type`` prints it.
        inherited: whether the rows of the table's children count.
        null_frac: the fraction of its values that are null.
        avg_width: the average width of a value in bytes.
        n_distinct: the number of distinct values; negative for a fraction of the rows.
        ends: the smallest and the largest value, for the first key of a B-tree; None if they are unknown.
    """

    name: str
    type: str
    inherited: bool
    null_frac: float
    avg_width: int
    n_distinct: float
    slots: tuple[Slot, ...] = field(default=(), repr=False)
    ends: tuple[str, str] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class RelationStatistics:
    """A table, index, materialized view, foreign or partitioned table, as ``pg_class`` has it.

    Parameters:
        kind: ``relkind``.
        method: the access method of an index; empty for other relations.
        pages: the current number of pages of its files.
        relpages, reltuples, relallvisible: the columns of ``pg_class``.
        relallfrozen: the column of ``pg_class`` since 18; None from older servers.
        height: the number of levels above the leaves of a B-tree whose first page could be read.
        counts: the counts on the first page of a GIN or BRIN index, if it could be read; see
            :mod:`~pytest_pgfeatures.statistics.metapages`.
    """

    schema: str
    name: str
    kind: str
    method: str
    pages: int
    relpages: int
    reltuples: float
    relallvisible: int
    relallfrozen: int | None = None
    height: int | None = None
    counts: tuple[int, ...] | None = None
    columns: tuple[ColumnStatistics, ...] = field(default=(), repr=False)

    @property
    def key(self) -> tuple[str, str]:
        """Its schema and name."""
        return self.schema, self.name

    def __str__(self) -> str:
        return f"{self.schema}.{self.name}"


class Combination(NamedTuple):
    """A common combination of values.

    Parameters:
        values: as text, None for NULL.
        frequency: the fraction of rows that have it.
        base_frequency: the fraction that would follow if the columns were independent.
    """

    values: tuple[str | None, ...]
    frequency: float
    base_frequency: float


@dataclass(frozen=True, slots=True)
class ExtendedStatistics:
    """The data of an object that CREATE STATISTICS made
    (https://www.postgresql.org/docs/current/catalog-pg-statistic-ext-data.html).

    Parameters:
        schema, name: the object's schema and name.
        table_schema, table: the table of the object.
        inherited: whether the rows of the table's children count.
        ndistinct: a number of distinct combinations for each group of columns, by their names; an expression is
            called ``1``, ``2``, ... in its order.
        dependencies: a degree for each group of columns, the last of which depends on the others.
        columns: the names of its columns, in the table's order.
        mcv: the most common combinations of the values of its columns, and then of its expressions.
        expressions: the statistics of its expressions, called ``1``, ``2``, ...
    """

    schema: str
    name: str
    table_schema: str
    table: str
    inherited: bool
    ndistinct: tuple[tuple[tuple[str, ...], float], ...] = ()
    dependencies: tuple[tuple[tuple[str, ...], float], ...] = ()
    columns: tuple[str, ...] = ()
    mcv: tuple[Combination, ...] = field(default=(), repr=False)
    expressions: tuple[ColumnStatistics, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return f"{self.schema}.{self.name}"


@dataclass(frozen=True, slots=True)
class Statistics:
    """Everything that a server's planner knows about one database, except for its data.

    Parameters:
        version: the server's version.
        dbname: the database.
        encoding, collate, ctype: the database's.
        provider: the provider of its locale: ``libc``, ``icu``, or ``builtin``.
        locale, rules: for a provider other than libc, the locale's name, and ICU's collation rules.
        settings: the planner's settings that are not at their defaults, with units.
        roles: the names of roles.
        extensions: the names of the database's extensions, and their versions.
        relations: all relations outside of the system's schemas.
        extended: objects of CREATE STATISTICS.
        schema: the output of pg_dump --schema-only; None if it could not run.
        unseen: objects that could not be read, with the reason, one line each.
    """

    version: PgVersion
    dbname: str
    encoding: str
    collate: str
    ctype: str
    settings: tuple[tuple[str, str], ...]
    roles: tuple[str, ...]
    extensions: tuple[tuple[str, str], ...]
    relations: tuple[RelationStatistics, ...] = field(repr=False)
    extended: tuple[ExtendedStatistics, ...] = field(default=(), repr=False)
    schema: str | None = field(default=None, repr=False)
    unseen: tuple[str, ...] = ()
    provider: str = "libc"
    locale: str = ""
    rules: str = ""

    @property
    def major(self) -> PgMajor:
        """The server's major."""
        return self.version.major

    @property
    def bytes(self) -> int:
        """The size of all relations, in bytes."""
        return BLOCK * sum(relation.pages for relation in self.relations)

    def with_schema(self, schema: str | None) -> Statistics:
        """The same, with another schema."""
        return replace(self, schema=schema)
