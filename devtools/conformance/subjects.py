"""The subjects of a comparison: their classes of texts, and the answers of a server and of the model.

Numeric literals are one subject, and each input function is another.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.literals import keywords, shapes
from pytest_pgfeatures.literals.evaluation import Evaluation, evaluate, evaluate_input
from pytest_pgfeatures.literals.inputs import INPUT_TYPES, read_input
from pytest_pgfeatures.literals.oracle import Reading, read_numeric
from pytest_pgfeatures.literals.shapes import Choice, Run, Shape, either, maybe, row, text
from pytest_pgfeatures.literals.strategies import input_shape
from pytest_pgfeatures.version import MAJORS, VersionSet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from psycopg import Connection

    from pytest_pgfeatures.version import PgMajor, PgVersion

LITERALS = "literals"
_NON_DECIMAL = VersionSet(">=16")


@dataclass(frozen=True, slots=True)
class Weighed:
    """A class of texts, and its weight: about the number of texts in a thousand that belong to it."""

    shape: Shape
    weight: float = 40


def literal_classes() -> dict[str, Weighed]:
    """The classes of texts to try as numeric literals, on every major."""
    few = Run(shapes.DIGITS[10], 1, 4)
    number = either(shapes.digits(10), shapes.decimal(few), shapes.real(few))
    words = tuple(keywords.all_key_words())
    words += tuple(word.title() for word in words)
    # As many words as numbers, and as many operators.
    few_times = len(words) // len(_NUMBERS)
    tokens = words + _NUMBERS * few_times + _OPERATORS * (len(words) // len(_OPERATORS)) + CONTINUING * 4
    classes = {
        "decimal integer": Weighed(shapes.digits(10), 90),
        "hexadecimal integer": Weighed(shapes.integer(16)),
        "octal integer": Weighed(shapes.integer(8)),
        "binary integer": Weighed(shapes.integer(2)),
        "integer with underscores": Weighed(either(*map(shapes.separated_integer, shapes.DIGITS)), 60),
        "limits of integers": Weighed(either(*(shapes.edges(base) for base in shapes.DIGITS)), 60),
        "with a dot": Weighed(shapes.decimal(shapes.digits(10)), 60),
        "with an exponent": Weighed(shapes.real(shapes.digits(10)), 60),
        "with dot or exponent, and underscores": Weighed(
            either(shapes.decimal(shapes.separated(10)), shapes.real(shapes.separated(10)))
        ),
        "limits of numeric": Weighed(shapes.exponent_edges()),
        "very long": Weighed(either(shapes.long(), shapes.too_long(), shapes.long_non_decimal()), 0.2),
        "signs before": Weighed(row(text("-", "+", "- ", "-+", "+-", "- -", "-+-", "+ -", "--"), number), 80),
        "sum": Weighed(row(number, text("+", "-", " + ", "- -", "+-"), number), 60),
        "parameter": Weighed(
            row("$", either(few, Choice(_PARAMETERS)), maybe(text("", " 1", ".x", ".", "+1")))
        ),
        "word behind": Weighed(
            row(few, text("", " "), Choice(words), maybe(text("", " ", ".", ".5", "+1", " 5"))), 80
        ),
        "tokens": Weighed(Run(tokens, 1, 6), 80),
        "sum and a word": Weighed(
            row(
                number,
                text("+", "-", "- -"),
                number,
                text("", " "),
                either(Choice(words), Choice(CONTINUING)),
                maybe(Choice(tokens)),
            ),
            60,
        ),
        "long name behind": Weighed(row(few, Run("aé_Z", 20, 80)), 20),
        "any characters of literals": Weighed(Run("0123456789012eExXoObBaAfF__..+-$ ", 0, 10), 120),
    }
    return classes | {f"malformed: {name}": Weighed(shape, 20) for name, shape in shapes.malformed().items()}


_NUMBERS = (
    *("0", "1", "12", "1.", "1.5", ".5", "1e5", "1e", "1e+", "0x1F", "0b1", "0o7", "1_000", "1_"),
    *("2147483648", "9223372036854775808", "$1", "$2147483648"),
)
_OPERATORS = ("+", "-", "--", ".", "..", "$", "_", " ")
CONTINUING = (*keywords.CONTINUATIONS, *keywords.TESTS, "nulls", "with")
"""Words after which a statement may continue, or that change the error message."""
_PARAMETERS = ("2147483647", "2147483648", "4294967295", "4294967297", "9223372036854775808", "0", "00001")


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing to compare.

    Parameters:
        name: ``literals``, or the name of a type whose input function it is.
        classes: the classes of texts.
    """

    name: str
    classes: dict[str, Weighed]

    def texts(self, seed: int, block: int, size: int) -> list[tuple[str, str]]:
        """Return a block of texts, each with its class. A seed and a block's number always give the same texts."""
        source = random.Random(f"{self.name} {seed} {block}")
        names = source.choices(list(self.classes), [found.weight for found in self.classes.values()], k=size)
        return [(name, shapes.sample(self.classes[name].shape, source)) for name in names]

    def ask(self, connection: Connection[Any], texts: Sequence[str]) -> list[Evaluation]:
        """Return the server's answers."""
        if self.name == LITERALS:
            return evaluate(connection, texts)
        return evaluate_input(connection, texts, self.name)

    def read(self, text: str, version: PgVersion) -> Reading:
        """Return the model's answer."""
        return read_numeric(text, version) if self.name == LITERALS else read_input(text, self.name, version)


def subject(name: str) -> Subject:
    """Return the subject with this name: ``literals``, or a type."""
    if name == LITERALS:
        return Subject(LITERALS, literal_classes())
    classes = {"typical of the type": Weighed(input_shape(name), 60)}
    classes["good on some major"] = Weighed(
        row(text("", " ", "-"), either(*(numeric(major) for major in (MAJORS[0], MAJORS[-1])))), 20
    )
    classes["any characters of numbers"] = Weighed(
        Run("0123456789012eExXoObBaAfFpPnNiI__..+- \t\v", 0, 9), 20
    )
    return Subject(name, classes)


def numeric(major: PgMajor) -> Shape:
    """Return integers and fractions of a major, without the very long ones."""
    digits = shapes.spaced_digits(10) if _NON_DECIMAL.covers(major) else shapes.digits(10)
    return either(digits, shapes.decimal(digits), shapes.real(digits), shapes.exponent_edges())


def subjects(input_count: int) -> list[Subject]:
    """Return all subjects, or only literals if ``input_count`` is 0."""
    return [subject(LITERALS), *(subject(name) for name in INPUT_TYPES if input_count)]
