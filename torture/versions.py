"""Hostile texts for the readers of versions: they raise only VersionErrors, take linear time, and round-trip."""

from __future__ import annotations

import itertools
import random
from functools import partial
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import InstallNotFoundError, VersionError
from pytest_pgfeatures.install import parse_requests
from pytest_pgfeatures.version import PgMajor, PgVersion, VersionSet, read_version
from torture import growth
from torture.model import Check, each

if TYPE_CHECKING:
    from collections.abc import Callable

READERS: dict[str, Callable[[Any], Any]] = {
    "PgMajor": PgMajor,
    "PgVersion": PgVersion,
    "read_version": read_version,
    "VersionSet": VersionSet,
}
PIECES = (
    *("9.3", "9.6", "9.6.24", "10", "14", "16", "16.2", "18", "19rc1", "19beta2", "19devel", "19alpha1"),
    *("..", ",", ">=", "<=", "!=", "==", ">", "<", "=", ".", " ", "-", "+", "~", ":", "*", "all", "none"),
    *("latest", "pypi:", "maven:", "system:", "path:", "rc", "beta", "devel", "v16", "16,", "..18", "-16"),
    *("0", "00", "9", "99", "9999", "10000", "99999", "9" * 5000, "." * 5000, "1e1", "0x10", "16_0"),
    *("１６", "é", "\0", "\ud800", "\n"),
)
OTHERS: tuple[Any, ...] = (
    *(None, True, 16, 9, 0, -1, 160002, 10**5000, -(10**5000), 9.6, float("nan")),
    *(b"16", [], ["16"], {}),
)


def reads(source: random.Random) -> list[str]:
    """Let one random reader read one random text, or sometimes a value that is not text."""
    name, read = source.choice(list(READERS.items()))
    value: Any = "".join(source.choice(PIECES) for _ in range(source.randint(0, 5)))
    if source.random() < 0.05:
        value = source.choice(OTHERS)
    try:
        found = read(value)
        if read(str(found)) != found or hash(read(str(found))) != hash(found):
            return [f"{name} doesn't read {found} as it was written"]
    except VersionError as error:
        return (
            []
            if error.remedy and len(str(error)) < 500
            else [f"{name} refuses a text at length, or without remedy"]
        )
    except Exception as error:
        return [f"{name} of {value!r}: {type(error).__name__}: {error}"[:300]]
    return []


def asks(source: random.Random) -> list[str]:
    """Try one random value of --pg."""
    text = "".join(source.choice(PIECES) for _ in range(source.randint(0, 6)))
    # A command line can't have the former; the latter stands for a byte that isn't UTF-8.
    text = text.replace("\ud800", "\udcff")
    try:
        written = ",".join(map(str, parse_requests(text)))
        if ",".join(map(str, parse_requests(written))) != written:
            return [f"--pg {text!r} is read as {written!r}, which is read differently"]
    except (VersionError, InstallNotFoundError) as error:
        return [] if error.remedy else [f"--pg {text!r} is refused without a remedy"]
    except Exception as error:
        return [f"--pg {text!r}: {type(error).__name__}: {error}"[:300]]
    return []


FAMILIES: dict[str, Callable[[int], str]] = {
    "digits": lambda n: "1" * n,
    "digits behind a dot": lambda n: "16." + "1" * n,
    "dots": lambda n: "16" + "." * n,
    "numbers": lambda n: "16." * (n // 3),
    "blanks": lambda n: " " * n + "16" + " " * n,
    "blanks and junk": lambda n: "16" + " " * n + "x",
    "commas": lambda n: "," * n,
    "the same again": lambda n: ",".join(["16"] * (n // 3)),
    "releases": lambda n: ",".join(f"{10 + i % 9}.{i % 9999}" for i in range(n // 6)),
    "releases with gaps": lambda n: ",".join(f"16.{i % 5000 * 2}" for i in range(n // 6)),
    "ranges": lambda n: ",".join(["14..18"] * (n // 7)),
    "open ranges": lambda n: ",".join([">=16", "!=15"] * (n // 10)),
    "operators": lambda n: ">" * n + "16",
    "a stage": lambda n: "19rc" + "1" * n,
    "stages": lambda n: "19" + "rc1" * (n // 3),
}
GROWING = tuple(itertools.product((*READERS.items(), ("parse_requests", parse_requests)), FAMILIES))


def grows(turns: itertools.cycle[tuple[tuple[str, Callable[[str], object]], str]]) -> list[str]:
    """Check the next reader with the next family of texts."""
    (name, read), family = next(turns)
    return [f"{name}, {family}: {said}" for said in growth.problems(read, FAMILIES[family], VersionError)]


CHECKS = (
    Check("versions: random texts", 100_000, each(partial(reads, random.Random(1))), unit=100_000),
    Check("versions: random values of --pg", 50_000, each(partial(asks, random.Random(2))), unit=50_000),
    Check(
        "versions: growth", len(GROWING), each(partial(grows, itertools.cycle(GROWING))), unit=len(GROWING)
    ),
)
