"""Run the same query on several servers and compare their answers."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.answers.difference import differences
from pytest_pgfeatures.errors import PgFeaturesError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_pgfeatures.answers.model import ServerAnswer
    from pytest_pgfeatures.server import Cluster, Database

_SHOWN = 200


@dataclass(frozen=True, slots=True, repr=False)
class ServerAnswers:
    """The answers of several servers to one query; true if all are the same.

    Parameters:
        query: the query.
        names: the servers' names, in the order in which they were asked.
        answers: the answer of each server.
        ordered: the parameter of :func:`compare`.
    """

    query: str
    names: tuple[str, ...]
    answers: tuple[ServerAnswer, ...]
    ordered: bool | None

    @property
    def differences(self) -> tuple[str, ...]:
        """The differences, as lines. Each server is compared with the one before it."""
        lines: list[str] = []
        for at in range(1, len(self.answers)):
            old, new = self.answers[at - 1 : at + 1]
            lines += differences(self.query, old, new, (self.names[at - 1], self.names[at]), self.ordered)
        return tuple(lines)

    def __bool__(self) -> bool:
        return not self.differences

    def __str__(self) -> str:
        asked = " ".join(self.query.split())
        asked = asked if len(asked) <= _SHOWN else f"{asked[:_SHOWN]}..."
        found = self.differences or (f"{', '.join(self.names)} answer the same",)
        return "\n".join((asked, *found))

    def __repr__(self) -> str:
        if differ := self.differences:
            return f"<{' and '.join(self.names)} answer differently: {differ[0].rstrip(':')}>"
        return f"<{' and '.join(self.names)} answer the same>"


def compare(
    servers: Iterable[Cluster | Database],
    query: str,
    params: Sequence[object] | Mapping[str, object] = (),
    ordered: bool | None = None,
    *,
    dbname: str = "postgres",
) -> ServerAnswers:
    """Run a query on several servers, and compare what they send.

    It compares the names and types of columns (by OID; user-defined types by name), the values as text, the order
    of rows as far as the query determines it, command tags, SQLSTATEs, notices and warnings. Different texts are a
    difference even if their Python values are equal. Error messages are shown but not compared, since their wording
    changes with every major.

    ::

        assert compare(pg_pair, "SELECT extract(epoch FROM placed) FROM orders")

    Parameters:
        servers: two or more clusters or databases, such as ``pg_pair``. The query runs once on each, in this order,
            on a new connection.
        query: a statement.
        params: values for psycopg's placeholders in it, ``%s`` or ``%(name)s``.
        ordered: whether the order of rows counts. By default it counts as far as the query has an ORDER BY of
            columns in its result: rows with equal values in all these columns may come in any order.
        dbname: the database on each cluster.

    Returns:
        the answers, which are true if they are the same. A failing ``assert`` shows the differences.

    Raises:
        PgFeaturesError: there are fewer than two servers.
        psycopg.Error: a connection is lost, or placeholders and values don't match.
    """
    from pytest_pgfeatures.answers.ask import ask

    asked = [_as_database(server, dbname) for server in servers]
    if len(asked) < 2:
        raise PgFeaturesError(
            f"compare() was given {len(asked)} server{'' if len(asked) == 1 else 's'}",
            remedy="give it two or more, such as pg_pair",
        )
    with ExitStack() as stack:
        connections = [stack.enter_context(database.connect()) for database in asked]
        answers = tuple(ask(connection, query, params) for connection in connections)
    return ServerAnswers(query, _names([database.cluster for database in asked]), answers, ordered)


def _as_database(server: Cluster | Database, dbname: str) -> Database:
    from pytest_pgfeatures.server import Cluster, Database

    return Database(server, dbname) if isinstance(server, Cluster) else server


def _names(clusters: Sequence[Cluster]) -> tuple[str, ...]:
    """The servers' versions, with the servers' names if two versions are the same."""
    versions = [str(cluster.version) for cluster in clusters]
    if len(set(versions)) == len(versions):
        return tuple(versions)
    return tuple(f"{version} ({cluster.name})" for version, cluster in zip(versions, clusters, strict=True))
