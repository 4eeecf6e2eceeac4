"""Hypothesis strategies for valid and malformed numeric literals, and for the texts of input functions.

They are built from :mod:`~pytest_pgfeatures.literals.shapes` without filters: a shape includes the boundaries, and
generates only texts of its form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from hypothesis import strategies as st

from pytest_pgfeatures.errors import LiteralError
from pytest_pgfeatures.literals import keywords, numbers, shapes
from pytest_pgfeatures.literals.inputs import input_type
from pytest_pgfeatures.literals.shapes import (
    Choice,
    Either,
    Long,
    Run,
    Series,
    Shape,
    either,
    maybe,
    row,
    text,
)
from pytest_pgfeatures.version import MAJORS, PgMajor, PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hypothesis.strategies import SearchStrategy

NEWEST = MAJORS[-1]
BASES = (10, 16, 8, 2)
_NON_DECIMAL = VersionSet(">=16")


def from_shape(shape: Shape) -> SearchStrategy[str]:
    """A strategy for the texts of a shape. It shrinks to short texts, and then to the shape's first option."""
    match shape:
        case Choice(texts):
            if len(texts) == 1 and len(texts[0]) <= _FREE:
                return st.just(texts[0])
            if all(len(text) <= _FREE for text in texts):
                return st.sampled_from(texts)
            return _chosen(texts)
        case Long(sizes):
            return _chosen(tuple(range(len(sizes)))).map(lambda index: shapes.long_text(sizes[index]))
        case Run(alphabet, least, most):
            return st.lists(st.sampled_from(alphabet), min_size=least, max_size=most).map("".join)
        case Series(parts):
            return st.tuples(*map(from_shape, parts)).map("".join)
        case Either(options):
            return _one_of(tuple(map(from_shape, options)))


@st.composite
def _one_of(draw: st.DrawFn, options: tuple[SearchStrategy[str], ...]) -> str:
    """A text of one of these strategies.

    ``st.one_of`` would flatten nested options into one long list. From the end of a long list, shrinking does not
    reach the simplest form that still fails.
    """
    return draw(options[draw(st.integers(0, len(options) - 1))])


_FREE, _DEAREST = 2, 60


T = TypeVar("T", str, int)


@st.composite
def _chosen(draw: st.DrawFn, texts: tuple[T, ...]) -> T:
    """One of these texts (or of the indexes of very long ones), drawn with extra choices.

    Hypothesis considers the example with the fewest choices the simplest. A long text is only one choice. The extra
    choices, which have no effect, make it less simple than a short text made of single characters.
    """
    chosen = draw(st.sampled_from(texts))
    for _ in range(min(len(chosen) - 1, _DEAREST) if isinstance(chosen, str) else _DEAREST):
        draw(_NOTHING)
    return chosen


_NOTHING = st.booleans()


def integer_literals(
    base: int | None = None, *, version: str | int | PgMajor | PgVersion = NEWEST
) -> SearchStrategy[str]:
    """Integers that a server of this version accepts, including the limits of integer types and their neighbors.

    Parameters:
        base: 2, 8, 10 or 16; None for every base that the version has. Up to 15 that is 10 alone.
        version: a major or a release, such as ``16`` or ``"9.6"``.

    Raises:
        LiteralError: this version has no integers in that base.
    """
    found = numbers.release(version)
    bases = BASES if found in _NON_DECIMAL else (10,)
    if base is not None and base not in bases:
        raise LiteralError(
            f"PostgreSQL {found.major} has no integer literals in base {base}",
            remedy=f"it has base {', '.join(map(str, bases))}" + ("" if 16 in bases else "; 16 has more"),
        )
    return from_shape(_integers(found, bases if base is None else (base,)))


def _integers(version: PgVersion, bases: tuple[int, ...]) -> Shape:
    integer = shapes.spaced_integer if version in _NON_DECIMAL else shapes.integer
    return either(*map(integer, bases))


def numeric_literals(version: str | int | PgMajor | PgVersion = NEWEST) -> SearchStrategy[str]:
    """Numeric literals of all forms that a server of this version accepts: one token, without a sign.

    Each value is in the range of ``numeric``, up to its limits; :func:`overflowing_numeric_literals` has others.

    Parameters:
        version: a major or a release, such as ``16`` or ``"9.6"``.
    """
    return from_shape(numeric_shape(numbers.release(version)))


def numeric_shape(version: PgVersion) -> Shape:
    """The shape of :func:`numeric_literals`."""
    bases = BASES if version in _NON_DECIMAL else (10,)
    number = shapes.spaced_digits(10) if version in _NON_DECIMAL else shapes.digits(10)
    digit = _DIGIT_OR_SPACED if version in _NON_DECIMAL else Run(shapes.DIGITS[10], 1, 1)
    limit = numbers.exponent_limit(version).limit
    real = shapes.real_in_range(number, digit, 4 if limit > _SMALL_EXPONENTS else 3)
    edges = shapes.exponents_in_range(limit)
    # Very long texts take their time everywhere: one in a hundred. (In another base than 10 a server would take
    # more than a second; those are left to `make literals`.)
    rare = either(edges, edges, edges, edges, either(edges, edges, edges, edges, shapes.long()))
    return either(_integers(version, bases), shapes.decimal(number), real, rare)


_SMALL_EXPONENTS = 9999
_DIGIT_OR_SPACED = Choice(tuple(shapes.DIGITS[10]) + tuple(f"_{digit}" for digit in shapes.DIGITS[10]))


def overflowing_numeric_literals(version: str | int | PgMajor | PgVersion = NEWEST) -> SearchStrategy[str]:
    """Texts of a numeric literal's form whose value ``numeric`` can't hold: an error of the value, not of the form.

    It is 22003; up to 9.5.4 an exponent above 1000 is 22P02.

    Parameters:
        version: a major or a release, such as ``16`` or ``"9.6"``.
    """
    limit = numbers.exponent_limit(numbers.release(version)).limit
    edges = shapes.exponents_out_of_range(limit)
    return from_shape(either(edges, edges, edges, edges, either(edges, edges, edges, shapes.too_long())))


def malformed_numeric_literals() -> SearchStrategy[str]:
    """Texts close to a numeric literal that are not a literal on any major.

    On each major such a text is an error, or, up to 14, a number and a column label.
    """
    return from_shape(either(*shapes.malformed().values()))


# --- texts that two majors read differently ----------------------------------------------------------------


def literals_that_differ(
    between: tuple[str | int | PgMajor | PgVersion, str | int | PgMajor | PgVersion],
) -> SearchStrategy[str]:
    """Texts that two versions read differently: with another value, type or label, or with another error.

    Parameters:
        between: the two versions, in either order.

    Raises:
        LiteralError: no known text differs between the two.
    """
    first, second = (numbers.release(version) for version in between)
    found = [shape for key, shape in differences().items() if key(first) != key(second)]
    words = tuple(_words_that_differ(first, second))
    if words:
        # Behind a blank, since from 15 on a word right behind a number is no label in any case.
        found.append(row(Run(shapes.DIGITS[10], 1, 3), " ", Choice(words)))
    if not found:
        raise LiteralError(
            f"PostgreSQL {first.major} and {second.major} read all numeric literals alike",
            remedy="choose versions with 11, 14, 15, 16 or 18 between them",
        )
    return from_shape(either(*found))


def _boundary(*since: str) -> Callable[[PgVersion], int]:
    """A function that returns how many of these boundaries a version has reached."""
    return lambda version: sum(version.major >= PgMajor(start) for start in since)


def differences() -> dict[Callable[[PgVersion], int], Shape]:
    """Shapes by a function that classifies versions.

    Versions of one class read each text of the shape alike; versions of different classes read it differently.
    """
    few = Run(shapes.DIGITS[10], 1, 4)
    scanner: list[Shape] = [either(*map(shapes.separated_integer, BASES))]
    scanner += map(shapes.integer, BASES[1:])
    scanner += [row(few, "_", few, text(".", ".5", "e1"))]
    junk: list[Shape] = [
        row(few, Choice(tuple("ghjkmpqsuvwyz")), Run("gxz_0129", 0, 4)),
        row(few, text("e", "E")),
    ]
    return {
        # 123abc: split, an error.
        _boundary("15"): either(*junk),
        # 0x1F and 1_000: split, an error, a value.
        _boundary("15", "16"): either(*scanner),
        # 1e1001: an error of syntax, a value.
        lambda version: numbers.exponent_limit(version).is_syntax: row(
            Run("123456789", 1, 2), "e", text("", "-"), text("1001", "2000", "12345", "16000")
        ),
        # 0e1073741823: just too far, and just not.
        lambda version: numbers.exponent_limit(version).limit: row(
            text("0", "0.0", ".00"), text("e", "E"), "1073741823"
        ),
        # -09223372036854775808: numeric, bigint.
        _boundary("11"): row("-", text("0", "00", "000"), "9223372036854775808"),
        # $2147483648: another number, an error.
        _boundary("18"): row("$", text("2147483648", "4294967297", "99999999999999999999")),
    }


def _words_that_differ(first: PgVersion, second: PgVersion) -> Iterator[str]:
    for word in keywords.all_key_words():
        if keywords.is_label(word, first) != keywords.is_label(word, second):
            yield word


# --- texts for input functions -----------------------------------------------------------------------------


def input_strings(type: str) -> SearchStrategy[str]:
    """Texts for a type's input function: numbers that it accepts, that only another type or release accepts, and
    malformed ones.

    Parameters:
        type: one of :data:`~pytest_pgfeatures.literals.inputs.INPUT_TYPES`, by any of its names.

    Raises:
        LiteralError: the type is unknown.
    """
    return from_shape(input_shape(input_type(type)))


_SPACE = Choice(("", "", "", " ", "\t", "\n", "\v", "\f", "\r", "  "))
_SIGN = Choice(("", "", "-", "+", "- ", "--"))
_TAIL = Choice(("", "", "", "x", "_", " x", ".", "é", "_0"))


def input_shape(type: str) -> Shape:
    """The shape of :func:`input_strings` for a type, by its own name."""
    number = shapes.spaced_digits(10)
    # Whether oid takes base 2 is up to a server's C library.
    bases = BASES[:3] if type == "oid" else BASES
    integers = either(*map(shapes.spaced_integer, bases))
    forms: dict[str, tuple[Shape, ...]] = {
        "double precision": (_FLOATS, either(shapes.decimal(number), shapes.real(number))),
        "numeric": (_SPECIALS, shapes.exponent_edges(), either(shapes.decimal(number), shapes.real(number))),
        "oid": (_OIDS,),
    }
    others = (either(shapes.decimal(number), shapes.real(number)), shapes.exponent_edges())
    bad = either(*(shape for name, shape in shapes.malformed().items() if name != "parameter with junk"))
    body = either(integers, *forms.get(type, others), bad)
    return row(_SPACE, _SIGN, body, _TAIL, _SPACE)


_SPECIALS = text("inf", "Infinity", "NaN", "nan", "INFINITY", "infinit", "na", "1e 5", "1e\n-5", "1e+ 5")
_FLOATS = either(
    text("inf", "nan", "infinity", "nan(1)", "nan(", "infinit"),
    # The largest and smallest doubles and their neighbors, and halves between them.
    text("1e308", "1e309", "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308"),
    text("4.9e-324", "2.5e-324", "2.4e-324", "2.2250738585072014e-308", "2.2250738585072011e-308", "1e-400"),
    text("9007199254740993", "9007199254740992.5", "0e999", "0.1", "1e23", "5e-324"),
    row(text("0x", "0X"), Run(shapes.DIGITS[16], 0, 14), maybe(row(".", Run(shapes.DIGITS[16], 0, 14))),
        maybe(row(text("p", "P"), text("", "-", "+"), text("1", "4", "", "1023", "1024", "1074", "1075")))),
)  # fmt: skip
_OIDS = either(
    row("0", Run(shapes.DIGITS[10], 1, 11)),
    text("4294967295", "4294967296", "4294967297", "18446744073709551615", "18446744073709551616"),
    text("18446744071562067968", "18446744071562067967", "037777777777", "040000000000"),
)
