"""Types in a server's catalogs: the operators and the types of values of their statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pgfeatures.statistics.model import (
    CORRELATION,
    DECHIST,
    HISTOGRAM,
    MCELEM,
    MCV,
    RANGE_BOUNDS,
    RANGE_LENGTHS,
)
from pytest_pgfeatures.statistics.own import types_that_run_code
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    import psycopg

_TYPES = """
    SELECT oid::bigint, typtype::text, typbasetype::bigint, typelem::bigint, typlen, typcategory::text,
           typispreferred, typcollation::bigint, typbyval,
           typalign::text, typdelim::text FROM pg_type
"""
_OPERATORS = """
    SELECT m.amname::text, c.opcintype::bigint, o.amopstrategy, o.amopopr::bigint
      FROM pg_opclass c JOIN pg_am m ON m.oid = c.opcmethod
      JOIN pg_amop o ON (o.amopfamily, o.amoplefttype, o.amoprighttype) = (c.opcfamily, c.opcintype, c.opcintype)
     WHERE c.opcdefault AND (m.amname = 'btree' AND o.amopstrategy IN (1, 3)
                             OR m.amname = 'hash' AND o.amopstrategy = 1)
"""
_CASTS = """
    SELECT castsource::bigint, casttarget::bigint FROM pg_cast WHERE castmethod = 'b' AND castcontext = 'i'
"""
_MULTIRANGES = "SELECT rngmultitypid::bigint, rngtypid::bigint FROM pg_range"
_HAVE_MULTIRANGES = VersionSet(">=14")  # https://www.postgresql.org/docs/release/14.0/
# OIDs that all majors share: src/include/catalog/*.dat
_ANYARRAY, _ANYENUM, _RECORD, _ANYRANGE, _ANYMULTIRANGE = 2277, 3500, 2249, 3831, 4537
_POLYMORPHIC = {"e": _ANYENUM, "c": _RECORD, "r": _ANYRANGE, "m": _ANYMULTIRANGE}
_TEXT, _TSVECTOR, _FLOAT8 = 25, 3614, 701
DEFAULT_COLLATION = 100


class Type(NamedTuple):
    """A row of pg_type."""

    kind: str
    base: int
    element: int
    length: int
    category: str
    preferred: bool
    collation: int
    by_value: bool
    alignment: str
    delimiter: str


class SlotKind(NamedTuple):
    """The properties of a column's slot, other than numbers and values, as OIDs.

    Parameters:
        operator: ``staop``.
        collation: ``stacoll``.
        values: the type of ``stavalues``' elements.
    """

    operator: int
    collation: int
    values: int


class Types:
    """The types of a database.

    Parameters:
        connection: a connection to the database.
        trusted: whether values of types that run the database's code may be read.
    """

    def __init__(self, connection: psycopg.Connection[Any], *, trusted: bool = False) -> None:
        version = PgVersion.from_num(connection.info.server_version)
        self._types = {oid: Type(*rest) for oid, *rest in connection.execute(_TYPES)}
        self._operators: dict[tuple[str, int, int], int] = {
            (method, type_, strategy): operator
            for method, type_, strategy, operator in connection.execute(_OPERATORS)
        }
        self._casts: dict[int, list[int]] = {}
        for source, target in connection.execute(_CASTS):
            self._casts.setdefault(source, []).append(target)
        self._ranges = dict(connection.execute(_MULTIRANGES)) if version in _HAVE_MULTIRANGES else {}
        self._running: frozenset[int] = frozenset() if trusted else types_that_run_code(connection)

    def __getitem__(self, oid: int) -> Type:
        return self._types[oid]

    def base(self, oid: int) -> int:
        """The base type of a domain; any other type itself."""
        while self._types[oid].kind == "d":
            oid = self._types[oid].base
        return oid

    def is_domain_over_no_array(self, oid: int) -> bool:
        """Whether a type is a domain over a type other than an array, such as a range or tsvector."""
        return self._types[oid].kind == "d" and self._types[self.base(oid)].category != "A"

    def runs_code(self, oid: int) -> bool:
        """Whether reading a value of a type, or of a domain's base type, runs the database's code."""
        return self.base(oid) in self._running

    def kind(self, kind: int, oid: int, collation: int) -> SlotKind:
        """The properties of a column's slot, as ANALYZE sets them.

        Parameters:
            kind: the kind of the statistics, one of :data:`~pytest_pgfeatures.statistics.model.KINDS`.
            oid: the column's type.
            collation: the column's collation.
        """
        oid = self.base(oid)
        match kind:
            case _ if kind == MCV:
                return SlotKind(self._equal(oid), collation, oid)
            case _ if kind in (HISTOGRAM, CORRELATION):
                return SlotKind(self._operator(oid, (("btree", 1),)), collation, oid)
            case _ if kind in (MCELEM, DECHIST):
                if oid == _TSVECTOR:
                    return SlotKind(self._equal(_TEXT), DEFAULT_COLLATION, _TEXT)
                element = self._types[oid].element
                return SlotKind(self._equal(element), collation, self.base(element))
            case _ if kind == RANGE_LENGTHS:
                return SlotKind(self._operator(_FLOAT8, (("btree", 1),)), 0, _FLOAT8)
            case _ if kind == RANGE_BOUNDS:
                return SlotKind(0, 0, self._ranges.get(oid, oid))
            case _:
                raise AssertionError(kind)

    def _equal(self, oid: int) -> int:
        return self._operator(self.base(oid), (("btree", 3), ("hash", 1)))

    def _operator(self, oid: int, wanted: tuple[tuple[str, int], ...]) -> int:
        """The operator of a type's default operator class; 0 if it has none."""
        for method, strategy in wanted:
            for candidate in self._candidates(oid):
                if operator := self._operators.get((method, candidate, strategy)):
                    return operator
        return 0

    def _candidates(self, oid: int) -> list[int]:
        """The types whose operator classes a type can use: its own, the one for its kind, and those to which
        it can be coerced."""
        known = self._types[oid]
        found = [oid]
        if known.category == "A" and known.element:
            found.append(_ANYARRAY)
        if known.kind in _POLYMORPHIC:
            found.append(_POLYMORPHIC[known.kind])
        return found + sorted(self._casts.get(oid, ()), key=lambda each: not self._types[each].preferred)
