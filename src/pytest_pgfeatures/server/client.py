"""Client access to a server: connection strings, sessions, queries, programs, log."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.libpq import SAID_BY_OURS, connecting, known_options, program_environment
from pytest_pgfeatures.server.configuration import HAS_SCRAM, HAS_SCRAM_ITERATIONS
from pytest_pgfeatures.server.waiting import SECONDS, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    import psycopg

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.server.configuration import Access
    from pytest_pgfeatures.server.log import ServerLog
    from pytest_pgfeatures.version import PgVersion


class ClientSide:
    """Client access to a server; :class:`~pytest_pgfeatures.server.Cluster` builds on it."""

    install: Install
    name: str
    log: ServerLog
    access: Access
    datadir: Path
    socket_directory: Path
    port: int
    user: str
    password: str | None
    identified: bool
    """Whether a connection since the last start was checked to lead to this server."""

    if TYPE_CHECKING:

        @property
        def pid(self) -> int | None: ...

    @property
    def version(self) -> PgVersion:
        """The server's version."""
        return self.install.version

    @property
    def host(self) -> str:
        """The host for libpq: the socket's directory, or 127.0.0.1 with TCP."""
        return "127.0.0.1" if self.access.tcp else str(self.socket_directory)

    def dsn(self, dbname: str = "postgres") -> str:
        """A libpq connection string for a database
        (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING)."""
        from psycopg.conninfo import make_conninfo

        return make_conninfo(
            host=self.host, port=self.port, user=self.user, password=self.password, dbname=dbname
        )

    def url(self, dbname: str = "postgres", scheme: str = "postgresql", *, user: str = "") -> str:
        """A connection URL for a database
        (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS).

        Parameters:
            dbname: the database.
            scheme: ``postgresql`` for libpq, psycopg and asyncpg, ``postgresql+psycopg`` and the like for
                SQLAlchemy, ``jdbc:postgresql`` for JDBC.
            user: the role, by default the superuser.

        Raises:
            PgFeaturesError: JDBC connects only by TCP, and the server has only a socket.
        """
        from urllib.parse import quote, urlencode

        user, password = user or self.user, self.password
        if scheme.startswith("jdbc:"):
            if not self.access.tcp:
                raise PgFeaturesError(
                    f"{self.name} has only a socket, and JDBC connects only by TCP",
                    remedy="start the server with create_pg(tcp=True)",
                )
            login = urlencode({"user": user, "password": password or ""})
            return f"{scheme}://{self.host}:{self.port}/{quote(dbname, safe='')}?{login}"
        if password is not None:
            login = f"{quote(user, safe='')}:{quote(password, safe='')}"
            return f"{scheme}://{login}@{self.host}:{self.port}/{quote(dbname, safe='')}"
        where = urlencode({"host": self.host, "port": self.port})
        return f"{scheme}://{quote(user, safe='')}@/{quote(dbname, safe='')}?{where}"

    def connect(
        self, dbname: str = "postgres", *, autocommit: bool = True, **options: Any
    ) -> psycopg.Connection:
        """Connect to a database. Close the connection, or use it in a ``with`` block.

        Parameters:
            dbname: the database.
            autocommit: commit each statement, as psql does. Pass False for an ordinary connection, which begins a
                transaction and rolls it back: for SQLAlchemy's ``create_engine(creator=...)`` and other pools.
            options: other options of ``psycopg.connect``, such as ``user`` or ``row_factory``.
        """
        import psycopg

        with connecting():
            connection = psycopg.connect(
                **self.connection_parameters(dbname, **options), autocommit=autocommit
            )
        if not self.identified and self._leads_here(options):
            self._identify(connection)
        return connection

    def _leads_here(self, options: dict[str, Any]) -> bool:
        """Whether a connection with these options still leads to this server."""
        own = (self.host, str(self.socket_directory))
        return options.get("host", self.host) in own and options.keys().isdisjoint(("hostaddr", "port"))

    def connection_parameters(self, dbname: str = "postgres", **options: Any) -> dict[str, Any]:
        """The parameters to connect with. They override everything that libpq would take from its environment or
        from files.

        Parameters:
            dbname: the database.
            options: other parameters, which take precedence.
        """
        own: dict[str, Any] = {
            "host": self.host,
            "port": self.port,
            "user": self.user,
            "password": self.password or "",
            "dbname": dbname,
        }
        return own | known_options(**SAID_BY_OURS) | options

    def _identify(self, connection: psycopg.Connection) -> None:
        """Check once after each start that the connection leads to this server."""
        from pytest_pgfeatures.server.identity import check

        self.identified = check(self, connection)
        if not self.identified and connection.info.user != self.user:
            self.connect().close()  # as the superuser, who may see the data directory

    def sql(self, query: str, params: Any = None, *, dbname: str = "postgres") -> list[tuple[Any, ...]]:
        """Run a statement on a new connection, and return its rows: an empty list if it returns none.

        Parameters:
            query: the statement; with ``params``, it has psycopg's placeholders.
            params: values for the placeholders.
            dbname: the database to run it in.
        """
        with self.connect(dbname) as connection:
            cursor = connection.execute(query, params)
            return cursor.fetchall() if cursor.description else []

    def poll_query_until(
        self, query: str, expected: Any = True, *, dbname: str = "postgres", timeout: float = SECONDS
    ) -> None:
        """Repeat a query until the first column of its first row is ``expected``.

        Raises:
            WaitTimeoutError: the query did not return it before the deadline. The error has the last value.
        """
        last: list[Any] = [None]
        with self.connect(dbname) as connection:

            def as_expected() -> bool:
                row = connection.execute(query).fetchone()
                last[0] = row[0] if row else None
                return bool(last[0] == expected)

            wait_until(
                as_expected,
                f"{query} to return {expected!r} on {self.name}",
                timeout=timeout,
                details=lambda: (f"it returned {last[0]!r} last", *self.log.tail(10)),
            )

    def log_contains(self, pattern: str, since: int = 0) -> bool:
        """Whether a regular expression matches in the log after position ``since``."""
        return self.log.contains(pattern, since)

    def wait_for_log(self, pattern: str, since: int = 0, *, timeout: float = SECONDS) -> int:
        """Wait until a regular expression matches in the log after position ``since``.

        Returns:
            the log's length at that time, for the next call's ``since``.

        Raises:
            WaitTimeoutError: it did not match before the deadline.
        """
        wait_until(
            lambda: self.log.contains(pattern, since),
            f"{pattern!r} in the log of {self.name}",
            timeout=timeout,
            details=self.log.tail,
        )
        return self.log.position()

    def program(self, name: str, *arguments: str | Path) -> tuple[list[str], dict[str, str]]:
        """The command line and environment to run a client program of the install on this server.

        Parameters:
            name: the program's name, such as ``pg_dump``.
            arguments: the program's arguments. PGHOST, PGPORT and PGUSER are in the environment.

        Raises:
            CapabilityMissingError: the install has no such program.
        """
        environment = program_environment(self.install) | self.connection_environment()
        return [str(self.install.program(name)), *map(str, arguments)], environment

    def connection_environment(self) -> dict[str, str]:
        """Environment variables with which libpq connects to this server
        (https://www.postgresql.org/docs/current/libpq-envars.html)."""
        variables = {"PGHOST": self.host, "PGPORT": str(self.port), "PGUSER": self.user}
        return variables if self.password is None else variables | {"PGPASSWORD": self.password}

    def set_password(self) -> None:
        """Set the superuser's password, if the server has one for TCP connections."""
        if self.password is None:
            return
        from psycopg import sql

        # Never log this statement, whatever the settings say.
        quiet = self.connect(host=str(self.socket_directory), options="-c log_min_messages=panic")
        with quiet as connection:
            method = "scram-sha-256" if self.version in HAS_SCRAM else "md5"
            iterations = self.access.scram_iterations
            if iterations is not None and self.version in HAS_SCRAM_ITERATIONS:
                connection.execute("SET password_encryption = 'scram-sha-256'")
                connection.execute(f"SET scram_iterations = {iterations:d}".encode())
                verifier = self.password
            else:
                verifier = connection.pgconn.encrypt_password(
                    self.password.encode(), self.user.encode(), method.encode()
                ).decode()
            connection.execute(
                sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(self.user), verifier)
            )

    def maintain(self) -> None:
        """In each database, VACUUM and ANALYZE each table, rebuild each index, and refresh each populated
        materialized view. Call this after an upgrade to find what no longer works.

        pg_upgrade doesn't check functions. If an index uses a function that relies on ``search_path``, the
        upgrade to 17 succeeds, and the first ANALYZE there fails
        (https://www.postgresql.org/docs/release/17.0/).

        Raises:
            ServerError: the server refused some statements. The details list them with the server's messages.
        """
        from pytest_pgfeatures.server.maintenance import maintain

        maintain(self)

    def terminate_sessions(self, dbname: str) -> None:
        """Terminate all other sessions in a database, and wait until they have ended."""
        others = "FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
        with self.connect() as connection:
            connection.execute(f"SELECT pg_terminate_backend(pid) {others}".encode(), [dbname])
            wait_until(
                lambda: not connection.execute(f"SELECT 1 {others}".encode(), [dbname]).fetchall(),
                f"the end of the sessions in the database {dbname} on {self.name}",
            )


def import_psycopg() -> None:
    """Import psycopg with garbage collection off.

    An import produces no garbage, and a collection takes long because pytest has many objects.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        import psycopg  # noqa: F401
    finally:
        if collects:
            gc.enable()
