"""Bisection: the same statements on servers of several versions, and the versions at which the answers change."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pytest_pgfeatures.answers.difference import same
from pytest_pgfeatures.answers.model import Sent, ServerAnswer
from pytest_pgfeatures.errors import InstallNotFoundError, LabError
from pytest_pgfeatures.results.transcript import ROWS_KEPT, Entry, as_text
from pytest_pgfeatures.threads import in_order, pool

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import psycopg

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.scripts.steps import Step
    from pytest_pgfeatures.server import Cluster, Clusters
    from pytest_pgfeatures.version import PgMajor

What = Literal["refused", "accepted", "other error", "other result", "other plan"]
STATEMENT_DEADLINE = 60
"""Seconds after which the server cancels a statement."""
_QUERY_CANCELED = "57014"
_EXPLAINED = frozenset({"select", "insert", "update", "delete", "merge", "values", "with", "table"})
"""First words of statements that have a plan (https://www.postgresql.org/docs/current/sql-explain.html)."""


@dataclass(frozen=True, slots=True)
class StatementAnswer:
    """The answer of a server to one statement.

    Parameters:
        answer: everything that it sent.
        plan: the plan without costs, spelled as the newest major spells it; None for a statement that has none.
    """

    answer: ServerAnswer
    plan: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """The answers of one server to all statements."""

    install: Install
    answers: tuple[StatementAnswer, ...]
    transcript: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A statement that two neighboring versions answer differently.

    Parameters:
        before, since: the last version with the one answer and the first with the other.
        number: the statement's number, counted from 0.
        what: how the later one differs; a different plan is reported if the results are the same.
    """

    before: Install
    since: Install
    number: int
    what: What


@dataclass(frozen=True, slots=True)
class Bisection:
    """The versions where the answers to statements change.

    Parameters:
        asked: the answers of each version.
        turns: the changes of answers between versions, the oldest version first.
        volatile: the numbers of the statements that a second server of a version answers differently, too,
            such as ``SELECT now()``: whether the version changes their answer is unknown.
    """

    asked: tuple[Asked, ...]
    turns: tuple[Turn, ...]
    volatile: tuple[int, ...]


def newest_of_each_major(installs: Iterable[Install]) -> tuple[Install, ...]:
    """One install for each major, oldest first.

    Raises:
        InstallNotFoundError: there are fewer than two of them.
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


def bisect(
    steps: Sequence[Step],
    installs: Sequence[Install],
    clusters: Clusters,
    *,
    prepared_by: Sequence[Step] = (),
    at_once: int = 4,
) -> Bisection:
    """Run statements in order, each once, on a fresh server of each install, and find where the answers change.

    At each change, the statements run once more on further fresh servers of the versions before and after it.
    Answers that differ between servers of one version don't depend on the version.

    Parameters:
        steps: one statement each; a refused one does not stop the others.
        installs: oldest first.
        prepared_by: statements that run before, whose answers are not compared.
        at_once: the number of servers that run side by side.

    Raises:
        ServerError: one did not start.
        LabError: a statement ran for more than a minute, or the connection was lost.
    """

    def ask_one(install: Install) -> Asked:
        cluster = clusters.create(install)
        try:
            return _ask(steps, cluster, prepared_by)
        finally:
            clusters.remove(cluster)

    with pool(at_once, clusters.close) as threads:
        asked = list(in_order(threads, ask_one, installs))
        found = list(turns(steps, asked))
        changed = [each for each in asked if any(each.install in (turn.before, turn.since) for turn in found)]
        repeated = list(in_order(threads, ask_one, [each.install for each in changed]))
    volatile = {
        number
        for first, second in zip(changed, repeated, strict=True)
        for number in _differing(steps, first, second)
    }
    kept = tuple(turn for turn in found if turn.number not in volatile)
    return Bisection(tuple(asked), kept, tuple(sorted(volatile)))


def _ask(steps: Sequence[Step], cluster: Cluster, prepared_by: Sequence[Step]) -> Asked:
    transcript: list[Entry] = []
    with cluster.connect() as connection:
        connection.execute(f"SET statement_timeout = '{STATEMENT_DEADLINE}s'".encode())
        for step in prepared_by:
            _in_time(connection, step)
        answers = tuple(_answer(connection, step, transcript) for step in steps)
        return Asked(cluster.install, answers, tuple(transcript))


def _answer(connection: psycopg.Connection[Any], step: Step, transcript: list[Entry]) -> StatementAnswer:
    plan = _plan(connection, step, transcript)
    answer = _in_time(connection, step)
    transcript.append(_entry(step, answer))
    return StatementAnswer(answer, plan)


def _in_time(connection: psycopg.Connection[Any], step: Step) -> ServerAnswer:
    import psycopg

    try:
        answer = _sent(connection, step)
    except psycopg.Error as error:
        raise LabError(f"{error}: {step.sql}", remedy="see the server's log") from error
    if answer.sqlstate == _QUERY_CANCELED:
        raise LabError(
            f"ran for more than {STATEMENT_DEADLINE} seconds: {step.sql}", sqlstate=_QUERY_CANCELED
        )
    return answer


def _sent(connection: psycopg.Connection[Any], step: Step) -> ServerAnswer:
    import psycopg

    from pytest_pgfeatures.answers.ask import ask
    from pytest_pgfeatures.scripts.load import take

    if not (step.reads or step.writes):
        return ask(connection, step.sql)
    try:
        return ServerAnswer((Sent((), (), take(connection, step)),))
    except psycopg.Error as error:
        if error.sqlstate is None:
            raise
        return ServerAnswer((), (), error.sqlstate, error.diag.message_primary or str(error))


def _plan(connection: psycopg.Connection[Any], step: Step, transcript: list[Entry]) -> str | None:
    """The statement's plan, whose transaction is rolled back; None if the statement has no plan."""
    import psycopg

    from pytest_pgfeatures.plan import explain, render

    status = connection.info.transaction_status
    if step.several or step.first_word not in _EXPLAINED or status == psycopg.pq.TransactionStatus.INERROR:
        return None
    in_transaction = status == psycopg.pq.TransactionStatus.INTRANS
    if in_transaction:
        connection.execute("SAVEPOINT pgfeatures_plan")
    try:
        plan = explain(connection, step.sql, costs=False)
    except psycopg.Error:
        return None
    finally:
        if in_transaction:
            connection.execute("ROLLBACK TO SAVEPOINT pgfeatures_plan; RELEASE SAVEPOINT pgfeatures_plan")
    transcript.append(Entry("main", f"EXPLAIN {step.sql}", plan=render(plan)))
    return plan.text


def _entry(step: Step, answer: ServerAnswer) -> Entry:
    """An answer in the form of transcripts: the answer to the last of several statements."""
    last = answer.sent[-1] if answer.sent else Sent((), (), "")
    return Entry(
        "main",
        step.sql,
        columns=tuple(column.name for column in last.columns),
        rows=tuple(tuple(map(as_text, row)) for row in last.rows[:ROWS_KEPT]),
        row_count=len(last.rows) if last.columns else None,
        status=last.tag or None,
        notices=tuple(map(str, answer.messages)),
        sqlstate=answer.sqlstate,
        error=answer.error if answer.sqlstate else None,
    )


def turns(steps: Sequence[Step], asked: Sequence[Asked]) -> Iterator[Turn]:
    """The versions at which the answer to a statement changes, the oldest first."""
    for before, since in itertools.pairwise(asked):
        for number, step in enumerate(steps):
            if what := _difference(step, before.answers[number], since.answers[number]):
                yield Turn(before.install, since.install, number, what)


def _differing(steps: Sequence[Step], first: Asked, second: Asked) -> Iterator[int]:
    for number, step in enumerate(steps):
        if _difference(step, first.answers[number], second.answers[number]):
            yield number


def _difference(step: Step, old: StatementAnswer, new: StatementAnswer) -> What | None:
    before, since = old.answer.sqlstate, new.answer.sqlstate
    if before != since:
        if before and since:
            return "other error"
        return "refused" if since else "accepted"
    if not same(step.sql, old.answer, new.answer):
        return "other result"
    return "other plan" if old.plan != new.plan else None
