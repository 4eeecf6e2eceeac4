"""Where the answers to statements change: the same statements on servers of several versions."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pytest_pgfeatures.behaviors.lab import LabServer
from pytest_pgfeatures.errors import InstallNotFoundError, LabError
from pytest_pgfeatures.results.transcript import Entry, Transcript

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.server import Cluster, Clusters
    from pytest_pgfeatures.version import PgMajor

What = Literal["refused", "accepted", "other error", "other result", "other plan"]


@dataclass(frozen=True, slots=True)
class StatementAnswer:
    """What a server answered to one statement.

    Two are equal if no difference is worth telling: messages of errors are reworded with every major, and rows
    come as text.
    """

    statement: str
    sqlstate: str | None
    """The code of the error; None if there was none."""
    result: tuple[str, ...]
    """The columns' names, the rows and what came beside them; the command's tag where it returns no rows."""
    plan: str | None
    """The plan without costs, spelled as the newest major spells it; None for a statement that has none."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What one server answered to all statements."""

    install: Install
    answers: tuple[StatementAnswer, ...]
    transcript: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A statement that two neighboring versions answer differently.

    Parameters:
        before, since: the last version with the one answer and the first with the other.
        what: how the later one differs; another plan is told where the results are the same.
    """

    before: Install
    since: Install
    statement: str
    what: What


def newest_of_each_major(installs: Iterable[Install]) -> tuple[Install, ...]:
    """One install for each major, oldest first.

    Raises:
        InstallNotFoundError: there are fewer than two, between which nothing can change.
    """
    found: dict[PgMajor, Install] = {}
    for install in sorted(installs, key=lambda install: install.version):
        found[install.version.major] = install
    if len(found) < 2:
        raise InstallNotFoundError(
            "nothing can change between fewer than two majors",
            details=tuple(map(str, found.values())),
            remedy="name versions, such as --pg 14..18, or get some with pgfeatures install 14..18",
        )
    return tuple(found.values())


def ask(
    statements: Sequence[str], installs: Sequence[Install], clusters: Clusters, *, at_once: int = 4
) -> list[Asked]:
    """Run statements in order on a fresh server of each install.

    Parameters:
        statements: one statement each; one that is refused does not stop the others.
        at_once: how many servers run side by side.

    Raises:
        ServerError: one did not start.
        LabError: a statement ran for more than a minute, or the connection was lost.
    """

    def ask_one(install: Install) -> Asked:
        cluster = clusters.create(install)
        try:
            return _ask(statements, cluster)
        finally:
            clusters.remove(cluster)

    with ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(ask_one, installs))


def _ask(statements: Sequence[str], cluster: Cluster) -> Asked:
    from pytest_pgfeatures.server import Database

    with LabServer("main", Database(cluster, "postgres"), Transcript()) as node:
        answers = tuple(_answer(node, statement) for statement in statements)
        return Asked(cluster.install, answers, tuple(node.transcript))


def _answer(node: LabServer, statement: str) -> StatementAnswer:
    plan = _plan(node, statement)
    try:
        rows = node.sql(statement)
    except LabError as error:
        if error.sqlstate is None or error.sqlstate == "57014":
            raise
        return StatementAnswer(statement, error.sqlstate, (), plan)
    entry = node.transcript.entries[-1]
    said = (
        (*entry.notices, *entry.columns, *map(repr, rows))
        if entry.columns
        else (*entry.notices, str(entry.status))
    )
    return StatementAnswer(statement, None, said, plan)


def _plan(node: LabServer, statement: str) -> str | None:
    """The statement's plan; None if EXPLAIN refuses it, as it does commands other than queries."""
    recorded = len(node.transcript)
    try:
        return node.explain(statement, costs=False).text
    except LabError:
        del node.transcript.entries[recorded:]
        return None


def turns(asked: Sequence[Asked]) -> Iterator[Turn]:
    """Where the answer to a statement changes, oldest version first."""
    for before, since in itertools.pairwise(asked):
        for old, new in zip(before.answers, since.answers, strict=True):
            if what := _difference(old, new):
                yield Turn(before.install, since.install, old.statement, what)


def _difference(old: StatementAnswer, new: StatementAnswer) -> What | None:
    if old.sqlstate != new.sqlstate:
        if old.sqlstate and new.sqlstate:
            return "other error"
        return "refused" if new.sqlstate else "accepted"
    if old.result != new.result:
        return "other result"
    return "other plan" if old.plan != new.plan else None
