"""Keeps libpq's environment variables and files from affecting our connections and programs.

libpq takes missing connection parameters from the environment, a service file, a password file and
``~/.postgresql`` (https://www.postgresql.org/docs/current/libpq-envars.html). For example, ``PGHOSTADDR`` would
direct a connection to another server, whatever host it names. Programs get an environment without these variables.
Connections are opened in this process, which shares its environment with the user's tests, hence three steps:

- The connection itself specifies the server, role, database and password, that there are no files, and the options
  whose variables psycopg reads.
- The other variables, if they are set, are hidden from libpq while it is opened: some, such as ``PGTZ`` and
  ``PGSERVICE``, override the connection's own parameters. ``os.environ`` keeps them, for a test may change it
  meanwhile: databases for the next tests are made in the background. ``PGPASSFILE``, with which a test connects to
  a server of ours, is never hidden.
- A test on our servers, which may connect with the result of :meth:`~pytest_pgfeatures.server.Cluster.dsn`, runs
  without those variables that pytest was started with.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pytest_pgfeatures.install import Install

PREFIX = "PG"
OURS = "PGFEATURES_"
SAID_BY_EACH_CONNECTION = frozenset({"PGHOST", "PGPORT", "PGUSER", "PGPASSWORD", "PGDATABASE"})
"""Variables that our connections override. They are left in place for tests, which may read them."""
NOT_OPTIONS = frozenset(
    {
        *("PGDATESTYLE", "PGTZ", "PGGEQO"),  # sent to the server as they are
        *("PGSERVICEFILE", "PGSYSCONFDIR", "PGLOCALEDIR"),
        "PGREQUIRESSL",  # up to 16; the option is sslmode
    }
)
"""Variables that libpq reads and that don't correspond to a connection string option."""
NO_FILE = "/dev/null/none"
"""A path that can't exist. libpq then continues as if the default file did not exist."""
NO_PASSWORD_FILE = {"passfile": NO_FILE}
NO_SSL_FILES = dict.fromkeys(("sslcert", "sslkey", "sslrootcert", "sslcrl", "sslcrldir"), NO_FILE)
"""Replacements for the files in ``~/.postgresql``."""
READ_BY_PSYCOPG = {
    "hostaddr": "",
    "connect_timeout": "0",
    "target_session_attrs": "any",
    "load_balance_hosts": "disable",
}
"""libpq's defaults of the options whose variables psycopg reads itself, from ``os.environ``."""
SAID_BY_OURS = NO_PASSWORD_FILE | NO_SSL_FILES | READ_BY_PSYCOPG
"""The options that each connection of ours has, so that libpq does not read their variables."""
_NO_FILES_FOR_PROGRAMS = {f"PG{option.upper()}": NO_FILE for option in (*NO_PASSWORD_FILE, *NO_SSL_FILES)} | {
    "PSQLRC": NO_FILE
}
_SECONDS_FOR_CONNECTIONS = 10.0


def program_environment(install: Install) -> dict[str, str]:
    """Return the environment for an install's programs, including servers: ours, without libpq's variables.

    ``~/.pgpass``, ``~/.postgresql`` and ``~/.psqlrc`` are not read, either.
    """
    return without_libpq() | _NO_FILES_FOR_PROGRAMS | {"LC_MESSAGES": "C"} | dict(install.environment)


def without_libpq() -> dict[str, str]:
    """Return our environment without variables that have libpq's prefix."""
    return {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}


@functools.cache
def _variables() -> frozenset[str]:
    """Return the variables that libpq itself lists, without those that each connection specifies."""
    from psycopg import pq

    listed = frozenset(option.envvar.decode() for option in pq.Conninfo.get_defaults() if option.envvar)
    return (listed | NOT_OPTIONS) - SAID_BY_EACH_CONNECTION


@functools.cache
def _hidden() -> frozenset[str]:
    """Return the variables that libpq would read although a connection of ours has all that it can say."""
    from psycopg import pq

    said = {
        option.envvar.decode()
        for option in pq.Conninfo.get_defaults()
        if option.envvar and option.keyword.decode() in SAID_BY_OURS
    }
    return _variables() - said


def has_variables() -> bool:
    """Return whether the environment has variables that are hidden while a connection is opened."""
    return not _hidden().isdisjoint(os.environ)


@functools.cache
def known_options(**options: str) -> dict[str, str]:
    """Return the connection options that this process's libpq supports; ``sslcrldir`` exists since 14."""
    from psycopg import pq

    names = {option.keyword.decode() for option in pq.Conninfo.get_defaults()}
    return {name: value for name, value in options.items() if name in names}


def inherited(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of an environment that have libpq's prefix."""
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(PREFIX) and not name.startswith(OURS) and name not in SAID_BY_EACH_CONNECTION
    }


class _Environment:
    """Hides variables from libpq, even if several threads connect at once, and removes them during a test."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._connecting = 0
        self._given: dict[str, str] = {}

    @contextlib.contextmanager
    def connecting(self) -> Iterator[None]:
        """Hide the variables from libpq during the block, which opens a connection with :data:`SAID_BY_OURS`."""
        with self._changed:
            self._connecting += 1
            for name in _hidden() & os.environ.keys():
                os.unsetenv(name)  # C's environment only
        try:
            yield
        finally:
            with self._changed:
                self._connecting -= 1
                if not self._connecting:
                    for name in _hidden():
                        _show(name)
                    self._changed.notify_all()

    @contextlib.contextmanager
    def during_test(self, inherited: Mapping[str, str]) -> Iterator[None]:
        """Remove the inherited variables during the block, except those that a test has set since, and add the
        variables that tests are given."""
        removed: dict[str, str] = {}
        with self._changed:
            self._wait_for_connections()
            if inherited:
                names = inherited.keys() & _variables()
                removed = _taken(name for name in names if os.environ.get(name) == inherited[name])
            _put_back(self._given)
        try:
            yield
        finally:
            with self._changed:
                self._wait_for_connections()
                _taken(name for name, value in self._given.items() if os.environ.get(name) == value)
                _put_back(removed)

    def give(self, name: str, value: str) -> None:
        """Set a variable for tests on our servers, including the running one, unless they set it themselves."""
        with self._changed:
            self._given[name] = value
            _put_back({name: value})

    def take_back(self, name: str) -> None:
        """Stop setting a variable for tests."""
        with self._changed:
            given = self._given.pop(name, None)
            if given is not None and os.environ.get(name) == given:
                del os.environ[name]

    def _wait_for_connections(self) -> None:
        """Wait until no other thread is connecting, but not for a thread that hangs."""
        self._changed.wait_for(lambda: not self._connecting, _SECONDS_FOR_CONNECTIONS)


def _show(name: str) -> None:
    """Set a variable in C's environment as ``os.environ`` has it, even if another thread is changing it."""
    shown: str | None = None
    while (value := os.environ.get(name)) != shown:
        if value is None:
            os.unsetenv(name)
        else:
            os.putenv(name, value)
        shown = value


def _taken(names: Iterator[str]) -> dict[str, str]:
    return {name: os.environ.pop(name) for name in list(names)}


def _put_back(variables: Mapping[str, str]) -> None:
    for name, value in variables.items():
        os.environ.setdefault(name, value)  # keep a value that was set meanwhile


class PasswordFile:
    """A password file for the tests' own connections; PGPASSFILE names it
    (https://www.postgresql.org/docs/current/libpq-pgpass.html).

    Parameters:
        path: the file, in a directory that only this user can write to.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines: list[str] = []

    def add(self, port: int, user: str, password: str) -> None:
        """Add a role's password for a server, for any name of this host."""
        escaped = [re.sub(r"([:\\])", r"\\\1", field) for field in (user, password)]
        self._lines.insert(0, ":".join(["*", str(port), "*", *escaped]))  # the first match is used
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with os.fdopen(os.open(self._path, flags, 0o600), "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in self._lines)
        give("PGPASSFILE", str(self._path))

    def close(self) -> None:
        """Forget all passwords."""
        take_back("PGPASSFILE")
        self._lines.clear()
        self._path.unlink(missing_ok=True)


_ENVIRONMENT = _Environment()
connecting = _ENVIRONMENT.connecting
during_test = _ENVIRONMENT.during_test
give = _ENVIRONMENT.give
take_back = _ENVIRONMENT.take_back
