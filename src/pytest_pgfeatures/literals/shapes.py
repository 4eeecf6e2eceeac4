"""The shapes of numeric literals, for Hypothesis strategies and for random sampling.

A shape is a small grammar without recursion. :mod:`~pytest_pgfeatures.literals.strategies` turns it into a
strategy, which shrinks; :func:`sample` draws from it at random, which is fast. The simplest option of a shape comes
first: a strategy shrinks to it.

The shapes are those of "Numeric Constants"
(https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-CONSTANTS-NUMERIC), and malformed ones.
They contain the boundaries of types explicitly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.literals.numbers import DIGITS_AFTER_POINT, DIGITS_BEFORE_POINT, EXPONENT_LIMITS

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random


@dataclass(frozen=True, slots=True)
class Choice:
    """One of these texts."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """``least`` to ``most`` characters, or short texts, of an alphabet."""

    alphabet: str | tuple[str, ...]
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Series:
    """These shapes, one after the other."""

    parts: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One of these shapes."""

    options: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Long:
    """One of these very long texts, each given as its beginning, a repeated text, the repeat count, and its end."""

    sizes: tuple[tuple[str, str, int, str], ...]


Shape = Choice | Run | Series | Either | Long


def long_text(size: tuple[str, str, int, str]) -> str:
    """One text of a :class:`Long`."""
    before, repeated, count, after = size
    return f"{before}{repeated * count}{after}"


def sample(shape: Shape, random: Random) -> str:
    """A random text of this shape."""
    match shape:
        case Choice(texts):
            return random.choice(texts)
        case Long(sizes):
            return long_text(random.choice(sizes))
        case Run(alphabet, least, most):
            return "".join(random.choices(alphabet, k=random.randint(least, most)))
        case Series(parts):
            return "".join([sample(part, random) for part in parts])
        case Either(options):
            return sample(random.choice(options), random)


def text(*texts: str) -> Choice:
    return Choice(texts)


def row(*parts: Shape | str) -> Series:
    return Series(tuple(Choice((part,)) if isinstance(part, str) else part for part in parts))


def either(*options: Shape | str) -> Either:
    return Either(tuple(Choice((option,)) if isinstance(option, str) else option for option in options))


def maybe(part: Shape | str) -> Either:
    return either("", part)


# --- digits ------------------------------------------------------------------------------------------------

DIGITS = {2: "01", 8: "01234567", 10: "0123456789", 16: "0123456789abcdefABCDEF"}
PREFIXES = {2: ("0b", "0B"), 8: ("0o", "0O"), 10: ("",), 16: ("0x", "0X")}

POWERS = (15, 16, 31, 32, 63, 64)
"""Powers of two at which integer types end: signed and unsigned ones of 2, 4 and 8 bytes."""


def written(value: int, base: int) -> str:
    """A value's digits in a base."""
    return format(value, {2: "b", 8: "o", 10: "d", 16: "x"}[base])


def limits(base: int) -> Choice:
    """Digits of the limits of integer types and of their neighbors."""
    plain = [written(2**power + step, base) for power in POWERS for step in (-2, -1, 0, 1, 2)]
    # One digit more than a limit: there a server that checks digit by digit reports the overflow.
    longer = [
        written((2**power // base) * base + step, base) + "0" for power in (31, 63) for step in (0, base)
    ]
    return Choice((*plain, *longer))


def edges(base: int) -> Series:
    """The same, perhaps with zeros before."""
    return row(text("", "0", "000"), limits(base))


def digits(base: int) -> Either:
    """A few digits, or the digits of a boundary; without underscores."""
    return either(Run(DIGITS[base], 1, 6), Run(DIGITS[base], 1, 40), edges(base))


def spaced_digits(base: int) -> Either:
    """A few digits, perhaps with underscores between them, or the digits of a boundary."""
    # Underscore and digit in one, so that dropping the underscore is one step when an example shrinks.
    alphabet = tuple(DIGITS[base]) * 3 + tuple(f"_{digit}" for digit in DIGITS[base])
    few, many = (row(Run(DIGITS[base], 1, 1), Run(alphabet, 0, most)) for most in (5, 39))
    return either(few, many, edges(base))


def separated(base: int) -> Series:
    """Digits with at least one underscore, each between two digits."""
    one = Run(DIGITS[base], 1, 3)
    return row(one, "_", one, maybe(row("_", one)), maybe(row("_", Run(DIGITS[base], 1, 20))))


def integer(base: int) -> Series:
    """An integer in a base, with its prefix, without underscores."""
    return row(Choice(PREFIXES[base]), digits(base))


def spaced_integer(base: int) -> Series:
    """An integer in a base, with its prefix, perhaps with underscores, of which one may follow the prefix."""
    body: Shape = spaced_digits(base)
    return row(Choice(PREFIXES[base]), body if base == 10 else either(body, row("_", body)))


def separated_integer(base: int) -> Series:
    """An integer in a base, with its prefix and at least one underscore."""
    body: Shape = separated(base)
    return row(
        Choice(PREFIXES[base]), body if base == 10 else either(row("_", Run(DIGITS[base], 1, 4)), body)
    )


# --- numbers with a dot or an exponent ---------------------------------------------------------------------


def decimal(number: Shape) -> Either:
    """A number with a dot behind, before or inside."""
    return either(row(number, "."), row(".", number), row(number, ".", number))


def real(number: Shape) -> Series:
    """A number with an exponent."""
    mantissa = either(number, decimal(number))
    small = Run(DIGITS[10], 1, 2)
    return row(mantissa, text("e", "E"), text("", "+", "-"), either(small, number))


LIMITS = tuple(str(limit.limit + step) for limit in EXPONENT_LIMITS for step in (-1, 0, 1, 2))
_FAR = (*LIMITS, "4294967296", "9223372036854775808", "99999999999999999999")


def exponent_edges() -> Either:
    """Short texts at the limits of ``numeric``: its digits, and the exponents that each release accepts."""
    # Just too large first: an example that is out of range shrinks to that.
    before = [str(DIGITS_BEFORE_POINT + step) for step in (0, -1, -2, -3, 1)]
    after = [str(DIGITS_AFTER_POINT + step) for step in (1, 0, -1, -2, 2)]
    return either(
        row(text("1", "9", "0", "10", "1.5", ".1"), text("e", "E+"), Choice((*before, *_FAR))),
        row(text("1", "9", "0", "1.5", ".1"), "e-", Choice((*after, *before, *_FAR))),
    )


_MANTISSAS = (("1", 0, 0), ("9", 0, 0), ("10", 1, 0), ("1.5", 0, 1), (".1", -1, 1))
"""Mantissas, each with the power of ten of its first digit, and the number of its digits after the point."""


def exponents_in_range(limit: int) -> Either:
    """Short texts with the largest and the smallest exponents whose values ``numeric`` holds.

    Parameters:
        limit: the largest exponent that a server accepts, whatever the value.
    """
    return _at_the_exponents(limit, lambda most: tuple(str(most - step) for step in (0, 1, 2)))


def exponents_out_of_range(limit: int) -> Either:
    """Short texts with exponents that the server refuses, or whose values ``numeric`` doesn't hold."""
    return _at_the_exponents(
        limit, lambda most: (str(most + 1), str(most + 2), *(far for far in _FAR if int(far) > most))
    )


def _at_the_exponents(limit: int, exponents: Callable[[int], tuple[str, ...]]) -> Either:
    """Texts with exponents that are derived from the last one in range."""
    plus, minus = [], []
    for mantissa, first, scale in _MANTISSAS:
        most, least = DIGITS_BEFORE_POINT - 1 - first, DIGITS_AFTER_POINT - scale
        plus.append(row(mantissa, text("e", "E+"), Choice(exponents(min(most, limit)))))
        minus.append(row(mantissa, "e-", Choice(exponents(min(least, limit)))))
    plus.append(row("0", text("e", "E+"), Choice(exponents(limit))))
    minus.append(row("0", "e-", Choice(exponents(min(DIGITS_AFTER_POINT, limit)))))
    return either(either(*plus), either(*minus))


def real_in_range(number: Shape, digit: Shape, most: int) -> Series:
    """A number with an exponent of so many digits at most, small enough for any number of ``number``'s length.

    Parameters:
        digit: a further digit of the exponent, perhaps with an underscore before it.
    """
    mantissa = either(number, decimal(number))
    few = either(*(row(Run(DIGITS[10], 1, 1), *[digit] * more) for more in range(most)))
    return row(mantissa, text("e", "E"), text("", "+", "-"), few)


def long() -> Either:
    """Texts of as many digits as ``numeric`` holds."""
    whole, fraction = DIGITS_BEFORE_POINT, DIGITS_AFTER_POINT
    return either(
        Long((("1", "0", whole - 1, ""),)),
        Long(((".", "0", fraction - 1, "1"),)),
        Long((("", "0", whole + 1, "7"), ("", "9", whole, ".5"))),
    )


def too_long() -> Either:
    """Texts of more digits than ``numeric`` holds, by one."""
    whole, fraction = DIGITS_BEFORE_POINT, DIGITS_AFTER_POINT
    return either(
        Long((("1", "0", whole, ""),)), Long(((".", "0", fraction, "1"),)), Long((("1", "0", whole, ".3"),))
    )


def long_non_decimal() -> Long:
    """The same in hexadecimal: numeric's limit, 10 ** 131072, has 435412 binary digits, which are 108853."""
    return Long(tuple((f"0x{first}", "0", 108852, "") for first in ("7", "8", "f")))


# --- numbers gone wrong ------------------------------------------------------------------------------------

# Letters that no number contains, and that don't begin a word with a meaning after a number (such as isnull).
_JUNK = row(Choice(tuple("gGhHjkKmpqQsuUvVwWyYzZé")), Run("gxe_0129$", 0, 6))
_DECIMAL = Run(DIGITS[10], 1, 4)


def malformed() -> dict[str, Shape]:
    """Texts that are not a literal on any major: each is an error, or an old major splits it in two."""
    number = either(_DECIMAL, decimal(_DECIMAL))
    return {
        "exponent without digits": row(number, text("e", "E"), text("", "+", "-")),
        "prefix without digits": either(
            row(Choice(PREFIXES[16] + PREFIXES[8] + PREFIXES[2]), text("", "_")),
            row(text("0x", "0o", "0b"), _JUNK),
        ),
        "digit out of base": either(
            row(text("0b", "0B"), Run("01", 0, 4), Run("2345", 1, 2)),
            row(text("0o", "0O"), Run("01234567", 0, 4), Run("89", 1, 2)),
        ),
        "misplaced underscore": either(
            row(_DECIMAL, "_"),
            row(_DECIMAL, "__", _DECIMAL),
            row("_", _DECIMAL),
            row(_DECIMAL, text("_.", "._"), _DECIMAL),
            row(_DECIMAL, text("e_", "_e", "e+_"), _DECIMAL),
            row(_DECIMAL, "e", _DECIMAL, "_"),
            row(Choice(PREFIXES[16]), Run(DIGITS[16], 1, 3), text("_", "__1")),
        ),
        "trailing junk": row(either(number, row(_DECIMAL, "e", _DECIMAL)), _JUNK),
        "junk after another base": row(integer(16), _JUNK),
        "two dots": either(row(_DECIMAL, "..", _DECIMAL), row(_DECIMAL, ".", _DECIMAL, ".", maybe(_DECIMAL))),
        "fraction in another base": row(integer(16), ".", _DECIMAL),
        "two numbers": row(_DECIMAL, " ", number),
        "parameter with junk": row("$", _DECIMAL, either(_JUNK, row("_", _DECIMAL))),
    }
