"""libpq's environment variables and files, kept out of connections and programs of ours.

libpq takes what a connection does not say itself from the environment, a service file, a password file and
``~/.postgresql`` (https://www.postgresql.org/docs/current/libpq-envars.html). ``PGHOSTADDR`` would so lead a
connection to another server, whatever host it names. A program is given an environment without these variables. A
connection is made in this process, whose environment is also that of the user's tests, hence three steps:

- It says itself which server, role, database and password it is for, and that there are no files.
- The other variables are taken out of ``os.environ`` while it is made, and put back: some, such as ``PGTZ`` and
  ``PGSERVICE``, are stronger than what a connection says.
- A test on our servers, which may connect with what :meth:`~pytest_pgfeatures.server.Cluster.dsn` returns, runs
  without those of them that pytest was started with.
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
"""Without effect on a connection that says these itself: they are left to tests, which may read them."""
NOT_OPTIONS = frozenset(
    {
        *("PGDATESTYLE", "PGTZ", "PGGEQO"),  # sent to the server as they are
        *("PGSERVICEFILE", "PGSYSCONFDIR", "PGLOCALEDIR"),
        "PGREQUIRESSL",  # up to 16; the option is sslmode
    }
)
"""Variables that libpq reads and that stand for no option of a connection string."""
NO_FILE = "/dev/null/none"
"""A path at which nothing can be. libpq then goes on as if the default file did not exist."""
NO_PASSWORD_FILE = {"passfile": NO_FILE}
NO_SSL_FILES = dict.fromkeys(("sslcert", "sslkey", "sslrootcert", "sslcrl", "sslcrldir"), NO_FILE)
"""Instead of what is in ``~/.postgresql``."""
_NO_FILES_FOR_PROGRAMS = {f"PG{option.upper()}": NO_FILE for option in (*NO_PASSWORD_FILE, *NO_SSL_FILES)} | {
    "PSQLRC": NO_FILE
}
_SECONDS_FOR_CONNECTIONS = 10.0


def program_environment(install: Install) -> dict[str, str]:
    """The environment for an install's programs, servers included: ours, without what would lead libpq elsewhere.

    ``~/.pgpass``, ``~/.postgresql`` and ``~/.psqlrc`` are not read either.
    """
    return without_libpq() | _NO_FILES_FOR_PROGRAMS | {"LC_MESSAGES": "C"} | dict(install.environment)


def without_libpq() -> dict[str, str]:
    """Our environment without any variable that begins as libpq's do."""
    return {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}


@functools.cache
def _variables() -> frozenset[str]:
    """The variables that libpq reads, as the library itself lists them, without those that each connection says."""
    from psycopg import pq

    listed = frozenset(option.envvar.decode() for option in pq.Conninfo.get_defaults() if option.envvar)
    return (listed | NOT_OPTIONS) - SAID_BY_EACH_CONNECTION


@functools.cache
def known_options(**options: str) -> dict[str, str]:
    """Those of a connection's options that this process's libpq has: ``sslcrldir`` came with 14."""
    from psycopg import pq

    names = {option.keyword.decode() for option in pq.Conninfo.get_defaults()}
    return {name: value for name, value in options.items() if name in names}


def inherited(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables of an environment that begin as libpq's do."""
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(PREFIX) and not name.startswith(OURS) and name not in SAID_BY_EACH_CONNECTION
    }


class _Environment:
    """Takes libpq's variables out of ``os.environ`` and puts them back, whichever threads connect at once."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._connecting = 0
        self._removed: dict[str, str] = {}
        self._given: dict[str, str] = {}

    @contextlib.contextmanager
    def connecting(self) -> Iterator[None]:
        """Without the variables during the block, which makes a connection."""
        with self._changed:
            self._connecting += 1
            self._removed |= _taken(name for name in _variables() if name in os.environ)
        try:
            yield
        finally:
            with self._changed:
                self._connecting -= 1
                if not self._connecting:
                    _put_back(self._removed)
                    self._removed = {}
                    self._changed.notify_all()

    @contextlib.contextmanager
    def during_test(self, inherited: Mapping[str, str]) -> Iterator[None]:
        """Without the inherited variables during the block, unless a test has set one of them since; and with those
        that tests are given."""
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
        """Have tests on our servers see a variable, the one that runs included, unless they set it themselves."""
        with self._changed:
            self._given[name] = value
            _put_back({name: value})

    def take_back(self, name: str) -> None:
        """Have tests no longer see it."""
        with self._changed:
            given = self._given.pop(name, None)
            if given is not None and os.environ.get(name) == given:
                del os.environ[name]

    def _wait_for_connections(self) -> None:
        """Wait until no other thread is connecting; one that hangs is not waited for."""
        self._changed.wait_for(lambda: not self._connecting, _SECONDS_FOR_CONNECTIONS)


def _taken(names: Iterator[str]) -> dict[str, str]:
    return {name: os.environ.pop(name) for name in list(names)}


def _put_back(variables: Mapping[str, str]) -> None:
    for name, value in variables.items():
        os.environ.setdefault(name, value)  # one that was set meanwhile stays


class PasswordFile:
    """A password file for the tests' own connections, which tests are given as PGPASSFILE
    (https://www.postgresql.org/docs/current/libpq-pgpass.html).

    Parameters:
        path: where nobody else may write.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines: list[str] = []

    def add(self, port: int, user: str, password: str) -> None:
        """Have libpq find the password of a role on a server, on whatever name of this host."""
        escaped = [re.sub(r"([:\\])", r"\\\1", field) for field in (user, password)]
        self._lines.insert(0, ":".join(["*", str(port), "*", *escaped]))  # the first that matches counts
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with os.fdopen(os.open(self._path, flags, 0o600), "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in self._lines)
        give("PGPASSFILE", str(self._path))

    def close(self) -> None:
        """Forget all of them."""
        take_back("PGPASSFILE")
        self._lines.clear()
        self._path.unlink(missing_ok=True)


_ENVIRONMENT = _Environment()
connecting = _ENVIRONMENT.connecting
during_test = _ENVIRONMENT.during_test
give = _ENVIRONMENT.give
take_back = _ENVIRONMENT.take_back
