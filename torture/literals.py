"""Hostile texts for the readers of numeric literals: they raise only documented errors, in linear time."""

from __future__ import annotations

import itertools
import random
import string
from functools import partial
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import LiteralError
from pytest_pgfeatures.literals import read_input, read_numeric
from pytest_pgfeatures.literals.evaluation import refusal
from pytest_pgfeatures.literals.inputs import INPUT_TYPES
from pytest_pgfeatures.literals.keywords import all_key_words
from pytest_pgfeatures.version import MAJORS
from torture import growth
from torture.model import Check, each

if TYPE_CHECKING:
    from collections.abc import Callable


VERSIONS = (*map(str, MAJORS), "9.3.14", "9.5.4", "15.8", "16.4")
"""Every major, and the minor releases before a change in a minor release."""
READERS: dict[str, Callable[[str], object]] = {
    **{f"read_numeric {version}": partial(read_numeric, version=version) for version in VERSIONS},
    **{
        f"read_input {type} {version}": partial(read_input, type=type, version=version)
        for type in INPUT_TYPES
        for version in ("9.3", "9.5.4", "11", "14", "15", "16", "19")
    },
    "evaluate's alphabet": refusal,
}

_NAMED = list(READERS.items())

# --- random texts ------------------------------------------------------------------------------------------

NUMBERS = (
    *("0", "1", "12", "1.", "1.5", ".5", "1e5", "1e", "1e+", "0x1F", "0x", "0b1", "0o7", "1_000", "1_"),
    *("2147483648", "-9223372036854775808", "1e1073741823", "$1", "NaN", "inf", "Infinity", "0x1p-1074"),
)
HOSTILE = ("\0", "\ud800", "\udfff", "\U0010ffff", "\x80", "é", "１", "\u2028", "\v", "\x85", "\ufeff")
KEY_WORDS = tuple(all_key_words())
PUNCTUATION = (*"+-._$'\"\\/*%()[]{},;:=<>!@#&|^~`? \t\n\r", "--", "/*", "*/", "$$", "$a$", "::", "..")


def random_text(source: random.Random) -> str:
    """Return a few tokens of any kind, without spaces between them."""
    kinds = (NUMBERS, NUMBERS, PUNCTUATION, KEY_WORDS, HOSTILE, string.ascii_letters)
    return "".join(source.choice(source.choice(kinds)) for _ in range(source.randint(0, 8)))


def mutated_text(source: random.Random) -> str:
    """Return a number with some characters changed, doubled or removed."""
    text = source.choice(NUMBERS)
    for _ in range(source.randint(1, 6)):
        at = source.randint(0, len(text))
        piece = chr(source.choice((source.randrange(128), source.randrange(0x110000))))
        text = source.choice(
            (text[:at] + piece + text[at:], text[:at] + text[at + 1 :], text[:at] * 2 + text[at:])
        )
    return text


def reads(text_of: Callable[[random.Random], str], source: random.Random) -> list[str]:
    """Let one random reader read one random text."""
    text, (name, read) = text_of(source), source.choice(_NAMED)
    try:
        read(text)
    except LiteralError as error:
        return [] if str(error).strip() else [f"{name} refuses {text!r} without a word"]
    except Exception as error:
        return [f"{name} of {text!r}: {type(error).__name__}: {error}"[:300]]
    return []


# --- growth ------------------------------------------------------------------------------------------------

FAMILIES: dict[str, Callable[[int], str]] = {
    "digits": lambda n: "9" * n,
    "zeros before": lambda n: "0" * n + "1",
    "hexadecimal": lambda n: "0x" + "f" * n,
    "octal": lambda n: "0o" + "7" * n,
    "binary": lambda n: "0b" + "1" * n,
    "underscores": lambda n: "1_" * (n // 2) + "1",
    "underscores between digits of base 16": lambda n: "0x" + "_f" * (n // 2),
    "an underscore too many": lambda n: "1_" * (n // 2) + "_",
    "underscores alone": lambda n: "_" * n,
    "fraction": lambda n: "." + "1" * n,
    "dots": lambda n: "." * n,
    "many dots": lambda n: "1." * (n // 2),
    "exponent": lambda n: "1e" + "9" * n,
    "zeros of an exponent": lambda n: "1e" + "0" * n + "1",
    "blanks in an exponent": lambda n: "1e" + " " * n + "1",
    "many exponents": lambda n: "1e1" * (n // 3),
    "minus signs": lambda n: "- " * (n // 2) + "1",
    "plus signs": lambda n: "+" * n + "1",
    "a sum": lambda n: "1+" * (n // 2) + "1",
    "a sum of long numbers": lambda n: ("9" * 1000 + ".5+") * (n // 1003) + "1",
    "blanks before": lambda n: " " * n + "1",
    "blanks behind": lambda n: "1" + " " * n,
    "blanks and junk": lambda n: "1" + " " * n + "x",
    "line feeds": lambda n: "1" + "\n" * n + "x",
    "a word behind": lambda n: "1" + "a" * n,
    "words behind": lambda n: "1" + " a" * (n // 2),
    "a word beyond ASCII": lambda n: "1" + "é" * n,
    "a parameter": lambda n: "$" + "1" * n,
    "parameters": lambda n: "$1" * (n // 2),
    "fields": lambda n: "$1" + ".a" * (n // 2),
    "a comment": lambda n: "1--" + "x" * n,
    "comments": lambda n: "1--\n" * (n // 4),
    "a float in base 16": lambda n: "0x1." + "1" * n + "p1",
    "an exponent in base 16": lambda n: "0x1p" + "1" * n,
    "nan": lambda n: "nan(" + "a" * n + ")",
    "nan without an end": lambda n: "nan(" + "a" * n,
    "infinities": lambda n: "inf" * (n // 3),
    "escapes": lambda n: '"' + "\\u0031" * (n // 6) + '"',
    "brackets": lambda n: "[" * n,
}
GROWING = tuple(
    (name, read, family)
    for name, read in READERS.items()
    if name.rpartition(" ")[2] not in VERSIONS or name.rpartition(" ")[2] in ("9.5.4", "14", "15.8", "16")
    for family in FAMILIES
)


def grows(turns: itertools.cycle[tuple[str, Callable[[str], object], str]]) -> list[str]:
    """Check the next reader with the next family of texts."""
    name, read, family = next(turns)
    return [f"{name}, {family}: {said}" for said in growth.problems(read, FAMILIES[family], LiteralError)]


CHECKS = (
    Check(
        "literals: random texts", 150_000, each(partial(reads, random_text, random.Random(1))), unit=150_000
    ),
    Check(
        "literals: mutated numbers",
        150_000,
        each(partial(reads, mutated_text, random.Random(2))),
        unit=150_000,
    ),
    Check(
        "literals: growth", len(GROWING), each(partial(grows, itertools.cycle(GROWING))), unit=len(GROWING)
    ),
)
