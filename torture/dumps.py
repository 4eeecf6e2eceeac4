"""Hostile dumps, with their attacks in random order: they run no program, reach no file, and print no secret."""

from __future__ import annotations

import functools
import random
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.install import Store
from pytest_pgfeatures.readiness.run import readiness
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.statistics.model import Statistics
from pytest_pgfeatures.statistics.transplant import transplant
from pytest_pgfeatures.version import PgVersion
from torture import processes
from torture.attacks import ATTACK, DUMPED, METACOMMANDS, QUERIES, SECRET, STATEMENTS
from torture.forked import Forked
from torture.installs import install
from torture.model import Check, each
from torture.place import place

if TYPE_CHECKING:
    from collections.abc import Callable

    from torture.place import Place

PAIRS = (("9.6", "14"), ("14", "18"))
MAJORS = ("9.6", "14", "18")
_METACOMMANDS = tuple(METACOMMANDS.strip().splitlines())
_PER_SERVER = 10
_SECONDS = 600.0


def _attack(run: Callable[[Place], int]) -> list[str]:
    """Let a process load a hostile dump. Return the files that it reached, and the secrets that it printed."""
    with place() as where:
        reached = where.path / "reached"
        reached.mkdir()
        reached.chmod(0o777)
        where.write(f"{SECRET}\n", "reached.secret")
        try:
            status = Forked(lambda: run(where), where.path, where.environment, where.path / "output").wait(
                _SECONDS
            )
        except TimeoutError as error:
            return [str(error)]
        problems = [f"{path.name} is reached" for path in sorted(reached.iterdir())]
        problems += ["the secret is told"] if SECRET in where.output else []
        problems += [f"status {status}: {where.output[-2000:]}"] if status else []
        return problems + where.left()


def _directed(where: Place, text: str) -> str:
    return text.replace("DIRECTORY", str(where.path / "reached"))


def _readiness(pair: tuple[str, str]) -> list[str]:
    statements = [*STATEMENTS, *random.sample(_METACOMMANDS, 3)]
    if random.random() < 0.75:  # otherwise in the order of the tests, which get as far as possible
        random.shuffle(statements)

    def run(where: Place) -> int:
        where.write(_directed(where, "\n".join((ATTACK, *statements, ""))), "schema.sql")
        where.write(_directed(where, QUERIES), "queries.sql")
        print(readiness(old=pair[0], new=pair[1], schema=["schema.sql"], queries=["queries.sql"]))
        return 0

    return _attack(run)


def _transplants(major: str, count: int) -> list[str]:
    """Put each statement into a schema of its own, as a transplant ends with the first refusal."""
    schemas = [DUMPED, *("\n".join((ATTACK, statement, "")) for statement in STATEMENTS)][:count]
    failures = []
    for first in range(0, len(schemas), _PER_SERVER):
        chosen = schemas[first : first + _PER_SERVER]
        found = _attack(functools.partial(_transplant, major, chosen))
        failures += [f"statements {first} to {first + len(chosen) - 1}: {'; '.join(found)}"] if found else []
    return failures


def _transplant(major: str, schemas: list[str], where: Place) -> int:
    with Clusters(Store.open()) as clusters:
        cluster = clusters.create(install(major))
        for number, schema in enumerate(schemas):
            statistics = Statistics(
                PgVersion("14.1"), "shop", "UTF8", "C", "C", (), ("postgres", "app"), (), (),
                schema=_directed(where, schema),
            )  # fmt: skip
            try:
                transplant(cluster, statistics, dbname=f"attacked{number}", partial=True)
            except PgFeaturesError as error:
                print(error)
    return 0


CHECKS = (
    *(
        Check(
            f"dumps: readiness from {' to '.join(pair)}",
            8,
            each(functools.partial(_readiness, pair)),
            missing=processes.missing,
        )
        for pair in PAIRS
    ),
    *(
        Check(
            f"dumps: transplanted to {major}",
            1 + len(STATEMENTS),
            functools.partial(_transplants, major),
            unit=1 + len(STATEMENTS),
            missing=processes.missing,
        )
        for major in MAJORS
    ),
)
