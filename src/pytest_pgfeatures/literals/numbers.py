"""From digits to a value: which type a number gets, and the limits of ``numeric``.

Sources: "Numeric Types" (https://www.postgresql.org/docs/current/datatype-numeric.html: ``numeric`` holds up
to 131072 digits before the decimal point and up to 16383 after it), "Numeric Constants"
(https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-CONSTANTS-NUMERIC: ``integer`` if
the value fits, else ``bigint`` if it fits, else ``numeric``), and the release notes named below.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, Context, Decimal

from pytest_pgfeatures.errors import LiteralError
from pytest_pgfeatures.version import MAJORS, PgMajor, PgVersion, VersionSet, as_release, read_version

INT2 = range(-(2**15), 2**15)
INT4 = range(-(2**31), 2**31)
INT8 = range(-(2**63), 2**63)

DIGITS_BEFORE_POINT = 131072
DIGITS_AFTER_POINT = 16383


def release(version: str | int | PgMajor | PgVersion) -> PgVersion:
    """The release that a version stands for.

    A major stands for its newest release. Some messages changed in minor releases: name an older release, such as
    ``"15.8"``, to get its message.

    Parameters:
        version: a major or a release, such as ``16``, ``"9.6"`` or ``"15.8"``.

    Raises:
        VersionError: it is not a PostgreSQL version.
        LiteralError: there is no model of that major.
    """
    if not isinstance(version, PgVersion | PgMajor | str | int):
        read_version(version)  # raises for text that isn't a version
    found = _named(version)
    if found.major not in _MODELLED:
        raise LiteralError(
            f"no model of numeric literals in PostgreSQL {found.major}",
            remedy=f"name one of {', '.join(map(str, MAJORS))}",
        )
    return found


@functools.lru_cache(maxsize=64, typed=True)
def _named(version: str | int | PgMajor | PgVersion) -> PgVersion:
    return as_release(read_version(version))


_MODELLED = frozenset(MAJORS)


class NumberError(Exception):
    """The error that a server would report: its SQLSTATE and message."""

    def __init__(self, sqlstate: str, message: str) -> None:
        super().__init__(message)
        self.sqlstate = sqlstate
        self.message = message


def overflow() -> NumberError:
    return NumberError("22003", "value overflows numeric format")


@dataclass(frozen=True, slots=True)
class ExponentLimit:
    """The largest exponent that a server accepts, whatever the value.

    Parameters:
        versions: the servers.
        limit: the largest absolute exponent. A value with a smaller one may still overflow.
        is_syntax: a larger one is invalid syntax (22P02), not out of range (22003).
    """

    versions: VersionSet
    limit: int
    is_syntax: bool


EXPONENT_LIMITS: tuple[ExponentLimit, ...] = (
    # An exponent could not exceed numeric's declarable precision, 1000, until the minor releases of October 2016
    # (https://www.postgresql.org/docs/release/9.5.5/: "Remove artificial restrictions on the values accepted by
    # numeric_in()"); measured on 9.3.5 and 9.5.3.
    ExponentLimit(VersionSet("9.3.0..9.3.14,9.4.0..9.4.9,9.5.0..9.5.4"), 1000, is_syntax=True),
    # Any exponent whose value fits; half of a C int's range guards the arithmetic. Measured on 9.6.24 to 15.18.
    ExponentLimit(VersionSet("<16"), (2**31 - 1) // 2 - 1, is_syntax=False),
    # 16 reads the exponent digit by digit (underscores) and compares a little differently: measured.
    ExponentLimit(VersionSet(">=16"), (2**31 - 1) // 2, is_syntax=False),
)
"""The first row that has a server's version applies."""


def exponent_limit(version: PgVersion) -> ExponentLimit:
    """The limit of exponents on a server of this version."""
    return next(found for found in EXPONENT_LIMITS if version in found.versions)


_BASES = {"x": 16, "o": 8, "b": 2}


def based(digits: str) -> int | None:
    """The value of an unsigned integer written ``0x``, ``0o`` or ``0b``, underscores removed; ``None`` for
    decimal."""
    base = _BASES.get(digits[1:2].lower()) if digits.startswith("0") else None
    return None if base is None else int(digits[2:], base)


def whole(digits: str) -> int | None:
    """The value of an unsigned integer in any base, underscores removed, or ``None`` for one past 64 bits.

    (Python refuses to read very long decimal integers; nothing here needs them as ``int``.)
    """
    value = based(digits)
    if value is not None:
        return value if value <= 2**64 else None
    significant = digits.lstrip("0")
    return int(significant or "0") if len(significant) <= 20 else None


def numeric(text: str, version: PgVersion) -> Decimal:
    """A number as ``numeric`` reads it, with the display scale as the Decimal's exponent.

    Parameters:
        text: an optional sign, then a decimal number or, from 16 on, an integer in another base.
        version: the server's version.

    Raises:
        NumberError: 22003, or 22P02 for exponents up to 9.5.4.
    """
    plain = text.replace("_", "")
    value = based(plain.lstrip("+-"))
    if value is not None:
        if value.bit_length() > _MOST_BITS:
            raise overflow()
        return in_numeric(exact_decimal(-value if plain.startswith("-") else value))
    _, _, exponent = plain.lower().partition("e")
    if exponent:
        check_exponent(exponent, text, version)
    return in_numeric(Decimal(plain))


_MOST_BITS = (10**DIGITS_BEFORE_POINT).bit_length()
_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX)
_FEW_BITS = 10_000


def exact_decimal(value: int) -> Decimal:
    """A whole number as a Decimal, in less than the quadratic time that ``Decimal(value)`` takes."""
    half = value.bit_length() // 2
    if half < _FEW_BITS:
        return Decimal(value)
    low = value & ((1 << half) - 1)
    high = _EXACT.multiply(exact_decimal(value >> half), _EXACT.power(Decimal(2), half))
    return _EXACT.add(high, exact_decimal(low))


def check_exponent(exponent: str, text: str, version: PgVersion) -> None:
    """Refuse an exponent beyond the server's limit.

    Parameters:
        exponent: an optional sign, and digits.
        text: the whole text, for the message.
        version: the server's version.

    Raises:
        NumberError: 22003, or 22P02 up to 9.5.4.
    """
    limit = exponent_limit(version)
    significant = exponent.replace("_", "").lstrip("+-").lstrip("0")
    if len(significant) > 10 or int(significant or "0") > limit.limit:
        if limit.is_syntax:
            raise NumberError("22P02", f'invalid input syntax for type numeric: "{text}"')
        raise overflow()


def in_numeric(value: Decimal) -> Decimal:
    """A value with all its digits written out, as ``numeric`` keeps it.

    "Up to 131072 digits before the decimal point; up to 16383 digits after"
    (https://www.postgresql.org/docs/current/datatype-numeric.html).

    Raises:
        NumberError: 22003, there are too many digits before or after the decimal point.
    """
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    if -exponent > DIGITS_AFTER_POINT or (value and value.adjusted() >= DIGITS_BEFORE_POINT):
        raise overflow()
    if not value:
        return Decimal((0, (0,), min(exponent, 0)))
    return Decimal(f"{value:f}") if exponent > 0 else value


def shown(value: int | bool | float | Decimal | None) -> str | None:
    """A value as a server prints it; a ``float`` as 12 and later do."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal) and not (value.is_finite() and abs(value.adjusted()) > DIGITS_BEFORE_POINT):
        return f"{value:f}"
    return str(value)
