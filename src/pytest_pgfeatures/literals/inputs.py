"""The input functions of numeric types on each major, without a server.

>>> read_input("0x1F", "integer", 16).value
31
>>> read_input("0x1F", "integer", 15).message
'invalid input syntax for type integer: "0x1F"'

An input function reads the text between the quotes of ``'42'::integer``, the fields of COPY, and the
parameters of a driver. Each type has its own rules, and they are not the scanner's: "Numeric Types"
(https://www.postgresql.org/docs/current/datatype-numeric.html) gives the forms, and the release notes of 16
(https://www.postgresql.org/docs/release/16.0/: "Allow non-decimal integer literals", "Allow underscores in
integer and numeric constants") say that integer types and ``numeric`` read those too.
"""

from __future__ import annotations

import re
from collections.abc import Callable  # noqa: TC003 (an alias below needs it at run time)
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import LiteralError
from pytest_pgfeatures.literals import jsonpath, numbers
from pytest_pgfeatures.literals.numbers import INT2, INT4, INT8, NumberError
from pytest_pgfeatures.literals.oracle import Reading
from pytest_pgfeatures.literals.scanner import shortened
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from pytest_pgfeatures.version import PgMajor, PgVersion

_SPACES = " \t\n\v\f\r"
"""The characters of C's ``isspace``, which may stand before and behind a number."""


def read_input(text: str, type: str, version: str | int | PgMajor | PgVersion) -> Reading:
    """The result of ``'<text>'::type`` on a server of this version.

    Parameters:
        text: the text; any.
        type: one of :data:`INPUT_TYPES`, or another name of it.
        version: a major or a release, such as ``16`` or ``"9.6.24"``. A major stands for its
            newest release.

    Returns:
        The reading; its value is an ``int`` for integer types and ``oid``, a :class:`~decimal.Decimal` for
        ``numeric``, ``json``, ``jsonb`` and ``jsonpath``, a ``float`` for ``double precision``. For ``json`` it is
        None if the exponent is too large for a Decimal: the type accepts any exponent.

    Raises:
        VersionError: the version can't be read.
        LiteralError: the type is unknown, there is no model of the version, or the JSON is not a number.
    """
    name = input_type(type)
    found = numbers.release(version)
    known = INPUT_TYPES[name]
    if (found_at := _NO_CHARACTER.search(text)) is not None:
        raise LiteralError(
            f"a text with {found_at.group()!r} reaches no input function",
            remedy="give text that a server can store: neither NUL characters nor halves of surrogate pairs",
        )
    if found not in known.versions:
        return Reading(sqlstate="42704", message=f'type "{name}" does not exist')
    try:
        return Reading(name, known.read(text, found))
    except NumberError as error:
        return Reading(sqlstate=error.sqlstate, message=error.message)


_NO_CHARACTER = re.compile(r"[\0\ud800-\udfff]")


def input_type(name: str) -> str:
    """The type's own name, for any of its names.

    Raises:
        LiteralError: no input function of that type is modelled.
    """
    for own, known in INPUT_TYPES.items():
        if str(name).lower() in (own, *known.aliases):
            return own
    raise LiteralError(
        f"no model of the input function of type {name!r}", remedy=f"name one of {', '.join(INPUT_TYPES)}"
    )


def _invalid(type: str, text: str) -> NumberError:
    return NumberError("22P02", f'invalid input syntax for type {type}: "{text}"')


def _out_of_range(type: str, text: str) -> NumberError:
    return NumberError("22003", f'value "{text}" is out of range for type {type}')


# --- int2in, int4in, int8in --------------------------------------------------------------------------------

NAMES_THE_TYPE = VersionSet(">=12")
"""Servers whose message names the integer type; older ones say "for integer" of all three. (No release note has it;
measured on 11.22 and 12.22.)"""

NON_DECIMAL = VersionSet(">=16")
"""Servers that read 0x, 0o, 0b and underscores (https://www.postgresql.org/docs/release/16.0/)."""

_INTEGERS = {"smallint": INT2, "integer": INT4, "bigint": INT8}


@dataclass(frozen=True, slots=True)
class EarlyOverflow:
    """The point at which a server reports digits as out of range before it reads the text after them.

    The manual does not document the order of these checks; measured on every major but 9.4.

    Parameters:
        types: the types.
        versions: the servers.
        overflows: tells from the digits' value, the type's limits and the base whether the server reports it.
    """

    types: tuple[str, ...]
    versions: VersionSet
    overflows: Callable[[int, range, int], bool]


EARLY_OVERFLOW: tuple[EarlyOverflow, ...] = (
    # All digits first, then the range, then the rest. (A minus is looked at below: it allows for one more.)
    EarlyOverflow(
        ("smallint", "integer"), VersionSet("<12"), lambda value, limits, base: value not in limits
    ),
    EarlyOverflow(("bigint",), VersionSet("<11"), lambda value, limits, base: value not in limits),
    # Digit by digit, as a negative number.
    EarlyOverflow(tuple(_INTEGERS), VersionSet("<16"), lambda value, limits, base: value > -limits[0]),
    # Digit by digit, checked before each.
    EarlyOverflow(
        tuple(_INTEGERS), VersionSet(">=16"), lambda value, limits, base: value // base > -limits[0] // base
    ),
)


def _read_integer(type: str) -> Callable[[str, PgVersion], int]:
    """The input function of an integer type: a sign, digits, and white space around them.

    Ranges: "Integer Types" (https://www.postgresql.org/docs/current/datatype-numeric.html#DATATYPE-INT). From 16 on
    also the forms of numeric constants (https://www.postgresql.org/docs/release/16.0/: "Allow non-decimal integer
    literals", and underscores).
    """
    limits = _INTEGERS[type]

    def read(text: str, version: PgVersion) -> int:
        invalid = _invalid(type, text)
        if version not in NAMES_THE_TYPE:
            invalid = NumberError("22P02", f'invalid input syntax for integer: "{text}"')
        negative, unsigned = _signed(text.lstrip(_SPACES))
        match = _integer_pattern(version).match(unsigned)
        if match is None:
            raise invalid
        digits, base = match.group().replace("_", ""), 10
        if digits[:2].lower() in _BASES:
            digits, base = digits[2:], _BASES[digits[:2].lower()]
        value = _whole(digits, base)
        junk = unsigned[match.end() :].strip(_SPACES) != ""
        by_text = type == "bigint" and version in _SMALLEST_BY_TEXT
        if by_text and negative and digits.startswith(str(-limits[0])):
            if junk or value != -limits[0]:
                raise invalid
            return limits[0]
        early = next(rule for rule in EARLY_OVERFLOW if type in rule.types and version in rule.versions)
        exact = -value if negative else value
        if early.overflows(value, limits, base) and not (exact == limits[0] and type != "bigint"):
            raise _out_of_range(type, text)
        if junk:
            raise invalid
        if exact not in limits:
            raise _out_of_range(type, text)
        return exact

    return read


_SMALLEST_BY_TEXT = VersionSet("<11")
"""Servers that compare a bigint's text with the smallest one's first, and take no digit more behind that.
(Measured on 10.23 and 11.22.)"""

_DECIMAL = re.compile(r"[0-9]+")
_NON_DECIMAL = re.compile(
    r"0[xX]_?[0-9A-Fa-f]+(?:_[0-9A-Fa-f]+)*|0[oO]_?[0-7]+(?:_[0-7]+)*|0[bB]_?[01]+(?:_[01]+)*"
    r"|(?!0[xXoObB])[0-9]+(?:_[0-9]+)*"
)
_BASES = {"0x": 16, "0o": 8, "0b": 2}


def _integer_pattern(version: PgVersion) -> re.Pattern[str]:
    return _NON_DECIMAL if version in NON_DECIMAL else _DECIMAL


def _signed(text: str) -> tuple[bool, str]:
    """Whether a text begins with a minus, and what follows its sign."""
    return text.startswith("-"), text[1:] if text[:1] in ("+", "-") else text


def _whole(digits: str, base: int) -> int:
    """The digits' value, or for very long decimal ones some value that no integer type holds."""
    if base != 10:
        return int(digits, base)
    significant = digits.lstrip("0")
    return int(significant or "0") if len(significant) <= 100 else 10**100


# --- numeric_in --------------------------------------------------------------------------------------------

INFINITY = VersionSet(">=14")
"""Servers whose numeric has infinities (https://www.postgresql.org/docs/release/14.0/)."""

_NUMERIC = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_NUMERIC_16 = re.compile(r"(?:[0-9]+(?:_[0-9]+)*(?:\.(?:[0-9]+(?:_[0-9]+)*)?)?|\.[0-9]+(?:_[0-9]+)*)")
# C's strtol, which read the exponent up to 15, skips white space first.
_EXPONENT = re.compile(r"[eE](?P<exponent>[ \t\n\v\f\r]*[+-]?[0-9]+)")
_EXPONENT_16 = re.compile(r"[eE](?P<exponent>[+-]?[0-9]+(?:_[0-9]+)*)")


def _read_numeric(text: str, version: PgVersion) -> Decimal:
    """The input function of ``numeric``: a decimal number, perhaps with exponent, ``NaN``, from 14 on ``Infinity``.

    "Arbitrary Precision Numbers"
    (https://www.postgresql.org/docs/current/datatype-numeric.html#DATATYPE-NUMERIC-DECIMAL).
    From 16 on also other bases and underscores (https://www.postgresql.org/docs/release/16.0/).
    """
    invalid = _invalid("numeric", text)
    body = text.lstrip(_SPACES)
    word = body.rstrip(_SPACES).lower()
    if word == "nan":
        return Decimal("NaN")
    negative, unsigned = _signed(body)
    if version in INFINITY and _signed(word)[1] in ("inf", "infinity"):
        return Decimal("-Infinity" if negative else "Infinity")
    sign = "-" if negative else ""
    if version in NON_DECIMAL and unsigned[:2].lower() in _BASES:
        match = _NON_DECIMAL.match(unsigned)
        if match is None or unsigned[match.end() :].strip(_SPACES):
            raise invalid
        return numbers.numeric(sign + match.group(), version)
    match = (_NUMERIC_16 if version in NON_DECIMAL else _NUMERIC).match(unsigned)
    if match is None:
        raise invalid
    number, rest = match.group(), unsigned[match.end() :]
    if rest[:1] in ("e", "E"):
        found = (_EXPONENT_16 if version in NON_DECIMAL else _EXPONENT).match(rest)
        if found is None:
            raise invalid
        exponent = found["exponent"].strip(_SPACES)
        # An exponent beyond all limits is reported before anything after it.
        numbers.check_exponent(exponent, text, version)
        number, rest = f"{number}e{exponent}", rest[found.end() :]
    if rest.strip(_SPACES):
        raise invalid
    return numbers.numeric(sign + number, version)


# --- float8in ----------------------------------------------------------------------------------------------

NAMES_THE_NUMBER_ONLY = VersionSet(">=9.6")
"""Servers that name only the number when it is out of range; older ones name the whole text. (Measured on 9.5.3 and
9.6.24.)"""

# C's strtod (chapter 8.1.3 of the manual has the values; the rest is the C library's).
_FLOAT = re.compile(
    r"""[+-]?(?:
        inf(?:inity)?
      | nan(?:\([0-9a-z_]*\))?
      | (?P<hexadecimal>0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?)
      | (?P<decimal>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)
    )""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)


def _read_float8(text: str, version: PgVersion) -> float:
    """The input function of ``double precision``: the texts that C's ``strtod`` reads, without over- and underflow.

    "Floating-Point Types" (https://www.postgresql.org/docs/current/datatype-numeric.html#DATATYPE-FLOAT).
    """
    body = text.lstrip(_SPACES)
    match = _FLOAT.match(body)
    if match is None:
        raise _invalid("double precision", text)
    number = match.group()
    try:
        value = float.fromhex(number) if match["hexadecimal"] else float(number.partition("(")[0])
    except OverflowError:
        value = float("inf")
    is_number = match["hexadecimal"] or match["decimal"]
    digits = re.split("[pP]" if match["hexadecimal"] else "[eE]", is_number or "")[0]
    if is_number and (value in (float("inf"), float("-inf")) or (value == 0 and digits.strip("0xX."))):
        named = number if version in NAMES_THE_NUMBER_ONLY else text
        raise NumberError("22003", f'"{named}" is out of range for type double precision')
    if body[match.end() :].strip(_SPACES):
        raise _invalid("double precision", text)
    return value


# --- oidin -------------------------------------------------------------------------------------------------

C_BASES = VersionSet(">=16")
"""Servers that read an oid as C's ``strtoul`` does with base 0: 0x is hexadecimal, and a leading zero octal.
(No release note has it; measured on 15.18 and 16.15.)"""

_OID = re.compile(r"[0-9]+")
_OID_C = re.compile(r"0[xX](?P<x>[0-9A-Fa-f]+)|(?P<o>0[0-7]*)|[1-9][0-9]*")


def _read_oid(text: str, version: PgVersion) -> int:
    """The input function of ``oid``: four bytes without sign, which a negative number wraps into.

    "Object Identifier Types" (https://www.postgresql.org/docs/current/datatype-oid.html).
    """
    negative, unsigned = _signed(text.lstrip(_SPACES))
    binary = re.match(r"0[bB]([01]+)(.*)", unsigned, re.DOTALL) if version in C_BASES else None
    if binary and (int(binary[1], 2) >= 2**64 or not binary[2].strip(_SPACES)):
        raise LiteralError(
            f"whether oid takes {shortened(text)} depends on the C library that the server was built with",
            remedy="C23's strtoul reads 0b, older ones don't",
        )
    match = (_OID_C if version in C_BASES else _OID).match(unsigned)
    if match is None:
        raise _invalid("oid", text)
    if version in C_BASES and (match["x"] or match["o"]):
        value = int(match["x"], 16) if match["x"] else int(match["o"], 8)
    else:
        value = _whole(match.group(), 10)
    if value >= 2**64:
        raise _out_of_range("oid", text)
    if unsigned[match.end() :].strip(_SPACES):
        raise _invalid("oid", text)
    # An unsigned long of C, of which the low 32 bits count if the rest is only their sign.
    value = -value % 2**64 if negative else value
    if 2**32 <= value < 2**64 - 2**31:
        raise _out_of_range("oid", text)
    return value % 2**32


# --- JSON --------------------------------------------------------------------------------------------------

READS_ON = VersionSet("<9.4")
"""Servers (measured: 9.3.5) that read past the end of a text that ends within a number, and may accept it."""

_JSON_UNFINISHED = re.compile(r"(?:-|[0-9]\.|[0-9][eE][+-]?)\Z")
_JSON_SPACES = " \t\n\r"
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def _read_json(text: str, version: PgVersion) -> Decimal | None:
    """A JSON number (RFC 8259, chapter 6), with its value as written.

    "JSON Types" (https://www.postgresql.org/docs/current/datatype-json.html).
    """
    body = text.strip(_JSON_SPACES)
    if _JSON_NUMBER.fullmatch(body):
        try:
            return Decimal(body)
        except InvalidOperation:
            # json keeps the text; a Decimal can't have such an exponent
            return None
    if body in ("true", "false", "null") or any(mark in body for mark in '"[{'):
        raise LiteralError(f"{shortened(text)} is other JSON than a number")
    if version in READS_ON and _JSON_UNFINISHED.search(text):
        raise LiteralError(
            f"what PostgreSQL {version.major} makes of {shortened(text)} depends on the memory behind it"
        )
    raise NumberError("22P02", "invalid input syntax for type json")


def _read_jsonb(text: str, version: PgVersion) -> Decimal:
    """A JSON number as jsonb keeps it: as numeric.

    "JSON Types" (https://www.postgresql.org/docs/current/datatype-json.html): "numbers ... outside the range of the
    PostgreSQL numeric data type" are refused. Since 9.4 (https://www.postgresql.org/docs/release/9.4.0/).
    """
    _read_json(text, version)
    return numbers.numeric(text.strip(_JSON_SPACES), version)


# --- the types ---------------------------------------------------------------------------------------------


_ALL = VersionSet("all")


@dataclass(frozen=True, slots=True)
class InputType:
    """A type and its input function.

    Parameters:
        read: from a text and a version to the value; raises :class:`~.numbers.NumberError`.
        aliases: other names of the type.
        versions: the servers that have the type.
    """

    read: Callable[[str, PgVersion], int | float | Decimal | None]
    aliases: tuple[str, ...] = ()
    versions: VersionSet = _ALL


INPUT_TYPES: dict[str, InputType] = {
    "smallint": InputType(_read_integer("smallint"), ("int2",)),
    "integer": InputType(_read_integer("integer"), ("int4", "int")),
    "bigint": InputType(_read_integer("bigint"), ("int8",)),
    "numeric": InputType(_read_numeric, ("decimal",)),
    "double precision": InputType(_read_float8, ("float8", "float")),
    "oid": InputType(_read_oid),
    "json": InputType(_read_json),
    "jsonb": InputType(_read_jsonb, versions=VersionSet(">=9.4")),
    "jsonpath": InputType(jsonpath.read, versions=VersionSet(">=12")),
}
"""The types whose input functions are modelled, by their names in PostgreSQL."""
