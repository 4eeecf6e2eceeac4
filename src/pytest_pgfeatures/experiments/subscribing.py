"""A subscriber for the experiments on logical replication."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pytest_pgfeatures.libpq import NO_FILE
from pytest_pgfeatures.server.replication import current_lsn

if TYPE_CHECKING:
    from pytest_pgfeatures import Bench, Cluster

LOGICAL = {"wal_level": "logical", "logical_decoding_work_mem": "64MB"}
DEADLINE = 1800.0
LEAST_LOGGED = 0.001
"""Log lines have times in milliseconds."""


class Subscriber:
    """Another server that subscribes to a bench's database.

    Parameters:
        bench: the bench of the publisher.
        tables: the statements that create the tables on the subscriber.
    """

    def __init__(self, bench: Bench, tables: str) -> None:
        self.bench = bench
        self.cluster: Cluster = bench.create(f"subscriber-{bench.database}")
        self.name = f"sub_{bench.database}"
        self.connection = self.cluster.connect(prepare_threshold=None)
        self.connection.execute(tables.encode())

    def subscribe(self, publication: str, options: str = "", *, port: int | None = None) -> None:
        """Create the subscription.

        Parameters:
            options: such as ``binary = on``.
            port: the port of a relay to the publisher.
        """
        dsn = self.bench.dsn
        if port is not None:
            dsn = f"host=127.0.0.1 port={port} user=postgres dbname={self.bench.database} passfile={NO_FILE}"
        given = f" WITH ({options})" if options else ""
        self.connection.execute(
            f"CREATE SUBSCRIPTION {self.name} CONNECTION '{dsn}' PUBLICATION {publication}{given}".encode()
        )

    def seconds_of_copy(self, publication: str, options: str = "") -> float:
        """Subscribe, and return the seconds of the initial copy, from CREATE SUBSCRIPTION on."""
        started = time.perf_counter()
        self.subscribe(publication, options)
        self.wait_for_copy()
        return time.perf_counter() - started

    def wait_for_copy(self) -> None:
        """Wait until the tables are copied."""
        self._wait("SELECT count(*) > 0 AND bool_and(srsubstate IN ('r', 's')) FROM pg_subscription_rel")

    def wait_for_changes(self) -> None:
        """Wait until the publisher's changes are applied here."""
        target = current_lsn(self.bench.cluster)
        self._wait(
            f"SELECT replay_lsn >= '{target}' FROM pg_stat_replication WHERE application_name = '{self.name}'",
            self.bench,
        )

    def log_rows(self, table: str, event: str, rows: int) -> None:
        """Have a trigger log each fifth of the changes that are applied here, as the 16 report does.

        Parameters:
            event: ``INSERT`` or ``UPDATE``.
            rows: the number of rows, and the id of the last one.
        """
        self._rows = rows
        self.connection.execute(
            f"""
            CREATE FUNCTION log_rows() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              IF new.id % {rows // 5} = 0 THEN RAISE WARNING '% rows processed', new.id; END IF;
              RETURN new;
            END $$;
            CREATE TRIGGER log_rows AFTER {event} ON {table} FOR EACH ROW EXECUTE FUNCTION log_rows();
            ALTER TABLE {table} ENABLE REPLICA TRIGGER log_rows
            """.encode()
        )

    def seconds_until_logged(self, statement: str) -> tuple[float, float]:
        """Run a statement on the publisher. Return its seconds, and the seconds from its end to the log's last
        message.

        Servers log with ``log_timezone`` UTC.
        """
        from pytest_pgfeatures.server.waiting import wait_until

        since = self.cluster.log.position()
        seconds, ended = self.bench.seconds(statement), datetime.now(UTC)
        message = f"WARNING:  {self._rows} rows processed"

        def logged() -> str | None:
            lines, _ = self.cluster.log.lines(since)
            return next((line for line in lines if message in line), None)

        line = wait_until(logged, f"{self.name}: {message}", timeout=DEADLINE, interval=0.002)
        at = datetime.strptime(line[:23], "%Y-%m-%d %H:%M:%S.%f").replace(tzinfo=UTC)
        self.wait_for_changes()
        return seconds, max((at - ended).total_seconds(), LEAST_LOGGED)

    def _wait(self, query: str, bench: Bench | None = None) -> None:
        from pytest_pgfeatures.server.waiting import wait_until

        connection = bench.connection if bench else self.connection

        def done() -> bool:
            row = connection.execute(query.encode()).fetchone()
            return bool(row and row[0])

        wait_until(done, f"{self.name}: {query}", timeout=DEADLINE, interval=0.002)

    def unsubscribe(self) -> None:
        """Drop the subscription, and with it the publisher's slot."""
        self.connection.execute(f"DROP SUBSCRIPTION IF EXISTS {self.name}".encode())

    def close(self) -> None:
        """Drop the subscription and disconnect. The server is removed with the bench."""
        self.unsubscribe()
        self.connection.close()
