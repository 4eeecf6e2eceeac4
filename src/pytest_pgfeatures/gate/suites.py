"""Suites written for pytest-postgresql, on every version of the matrix, without a change to their code.

With ``--pg``, the process fixtures of pytest-postgresql get their server from us instead of starting one with
pg_ctl: any major, as root too. Everything else stays pytest-postgresql's own: the fixtures' code, loading,
client fixtures, the janitor. Without ``--pg`` nothing is touched.

A process fixture lives for a session; here it lives for a cell of the matrix.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from pytest_pgfeatures.server.configuration import Access
    from pytest_pgfeatures.session import PgSession

_FACTORIES = "pytest_postgresql.factories"
_SERVES = (f"{_FACTORIES}.process",)
_ASKS = {f"{_FACTORIES}.client": "process_fixture_name", f"{_FACTORIES}.noprocess": "depends_on"}
"""The modules whose fixtures ask for another by name when they run, and the variable that has the name."""


def uses_process_fixture(metafunc: pytest.Metafunc) -> bool:
    """Whether a test uses a process fixture of pytest-postgresql, directly or through one of its clients."""
    config = metafunc.config
    if not (config.getoption("pg") or config.getini("pg")):
        return False
    return any(_leads_to_process(name, metafunc.definition) for name in metafunc.fixturenames)


def _leads_to_process(name: str, item: pytest.Item) -> bool:
    if name == "pg_cluster":
        return True
    manager: Any = item.session._fixturemanager  # pytest has no public way to look up a fixture by its name
    for definition in manager.getfixturedefs(name, item) or ():
        module, asks_for = _origin(definition)
        if module in _SERVES or (asks_for and _leads_to_process(asks_for, item)):
            return True
    return False


def _origin(definition: pytest.FixtureDef[Any]) -> tuple[str, str | None]:
    """The factory module that made a fixture, and the fixture it asks for by name when it runs."""
    function = inspect.unwrap(definition.func)
    module = getattr(function, "__module__", "")
    if module not in _ASKS or not inspect.isfunction(function):
        return module, None
    return module, inspect.getclosurevars(function).nonlocals.get(_ASKS[module])


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: Any) -> Generator[None, object, object]:
    """Have a process fixture, and what depends on one by name, end with the cell of the matrix."""
    module = getattr(inspect.unwrap(fixturedef.func), "__module__", "")
    if not module.startswith(_FACTORIES) or fixturedef.scope != "session":
        return (yield)
    from pytest_pgfeatures.session import session_of

    session = session_of(request.config)
    if not session.requests or session.station_in_use is None:
        return (yield)
    with pytest.MonkeyPatch.context() as patch:
        if module in _SERVES:
            from pytest_postgresql.factories import process

            namespace: dict[str, Any] = vars(
                process
            )  # its executor's module is another in each major release
            patch.setitem(
                namespace, "PostgreSQLExecutor", _executor_class(namespace["PostgreSQLExecutor"], session)
            )
            patch.setattr(process, "_pg_exe", lambda *_: "")
            patch.setattr(process, "_pg_port", _another_if_taken(process._pg_port))
        try:
            return (yield)
        finally:
            # Only now, so that what this one asked for meanwhile ends after it; and after a failure, too, which
            # pytest would show again for the next version.
            session.at_end_of_cell(functools.partial(fixturedef.finish, request))


def _another_if_taken(choose: Callable[..., int]) -> Callable[..., int]:
    """pytest-postgresql's choice of a port, or any free one where that is taken, as by another version's tests."""
    from port_for import PortForException, get_port

    def port(wanted: Any, config: Any, taken: Iterable[int]) -> int:
        if not taken:
            with contextlib.suppress(PortForException):
                return choose(wanted, config, taken)
        free = get_port(None, taken)
        assert free is not None
        return free

    return port


def _access(host: str, user: str, password: str | None, port: int) -> Access:
    """How a suite reaches its server: by the socket where it names a directory as its host, else over TCP.

    Only we can reach the socket's directory. Over TCP anyone on this machine can come, and has to know a password:
    the suite's, or a random one.
    """
    from pytest_pgfeatures.server.configuration import Access

    if host.startswith("/"):
        return Access(user=user, password=password or None, port=port)
    return Access.by_tcp(user=user, password=password or None, port=port)


def _executor_class(base: Any, session: PgSession) -> type:
    """pytest-postgresql's executor, served by a session's clusters."""

    class ClusterExecutor(base):  # type: ignore[misc]
        """pytest-postgresql's executor, with a cluster of ours in place of a server started by pg_ctl."""

        host: str

        def __init__(self, **arguments: Any) -> None:
            station = session.station_in_use
            assert station is not None
            install = session.install(station)
            super().__init__(**arguments | {"executable": str(install.bindir / "pg_ctl")})
            access = replace(
                _access(self.host, self.user, arguments["password"], arguments["port"]), pg_hba=station.pg_hba
            )
            self._cluster = session.clusters.create(
                install,
                name=station.cell.id,
                settings=dict(station.settings),
                access=access,
                arguments=tuple(shlex.split(arguments["postgres_options"])),
            )
            if self.host != "localhost":
                self.host = self._cluster.host
            self.port = self._cluster.port
            self.password = access.password
            if access.tcp and access.password:
                session.password_file.add(self.port, self.user, access.password)
                session.at_end_of_cell(session.password_file.close)
            self.datadir = str(self._cluster.datadir)
            self.logfile = str(self._cluster.log.path)
            self.unixsocketdir = str(self._cluster.socket_directory)
            temporary = Path(arguments["logfile"]).parent.parent
            self._reservations = [
                directory / f"postgresql-{arguments['port']}.port"
                for directory in (temporary, temporary.parent)
            ]

        def start(self) -> ClusterExecutor:
            """Start the server unless it runs."""
            if not self._cluster.running():
                self._cluster.start()
            return self

        def stop(self, *_: Any, **__: Any) -> ClusterExecutor:
            """Stop the server."""
            self._cluster.stop("immediate")
            for path in self._reservations:  # up to 8, pytest-postgresql leaves it behind
                path.unlink(missing_ok=True)
            return self

        def running(self) -> bool:
            """Whether the server runs."""
            return self._cluster.running()

        def wait_for_postgres(self) -> None:
            """Nothing to wait for: a cluster takes connections once it has started."""

        def init_directory(self) -> None:
            """Nothing to do: the data directory is a copy of the template."""

        def clean_directory(self) -> None:
            """Nothing to do: the run's directory goes as a whole."""

        @property
        def version(self) -> Any:
            """The server's version, as pytest-postgresql has it."""
            from packaging.version import parse

            return parse(str(self._cluster.version))

    return ClusterExecutor
