"""A server that is not ours, on our socket or port, is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.install import Resolver, Store
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.server.configuration import Access
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.server import Cluster

    CreatePg = Callable[..., Cluster]


def test_another_server_on_the_socket_is_refused() -> None:
    install = Resolver().resolve("18")
    with Clusters(Store.open()) as clusters:
        ours, other = clusters.create(install, name="ours"), clusters.create(install, name="other")
        path = ours.socket_directory / f".s.PGSQL.{ours.port}"
        path.unlink()
        path.symlink_to(other.socket_directory / f".s.PGSQL.{other.port}")
        with pytest.raises(ServerError, match=r"a server other than ours answers on \S+5432") as caught:
            ours.sql("CREATE TABLE t ()")
        assert str(other.datadir) in str(caught.value)
        assert f"process {other.pid}" in str(caught.value)
        assert "what to do: " in str(caught.value)
        assert other.sql("SELECT 1 FROM pg_class WHERE relname = 't'") == []
        other.sql("CREATE ROLE somebody LOGIN")
        with pytest.raises(ServerError, match="a server other than"):
            ours.connect(user="somebody").close()


def test_another_server_on_a_port_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over TCP the server is asked; here two have the same password."""
    install = Resolver().resolve("9.6")
    access = Access.by_tcp(password="the same")
    with Clusters(Store.open()) as clusters:
        ours = clusters.create(install, name="ours", access=access)
        other = clusters.create(install, name="other", access=access)
        assert ours.sql("SELECT 1") == [(1,)]
        ours.restart()
        monkeypatch.setattr(ours, "port", other.port)
        with pytest.raises(ServerError, match=rf"a server other than ours answers on 127.0.0.1:{other.port}"):
            ours.sql("SELECT 1")


@pytest.mark.pg
def test_the_password_is_not_in_the_log(create_pg: CreatePg) -> None:
    settings = {
        "log_statement": "all",
        "log_min_duration_statement": "0",
        "log_duration": "on",
        "log_min_messages": "debug5",
        "debug_print_parse": "on",
    }
    cluster = create_pg(tcp=True, settings=settings)
    assert cluster.sql("SELECT 'logged'") == [("logged",)]
    cluster.wait_for_log("SELECT 'logged'")
    assert cluster.password
    assert cluster.password not in cluster.log.text()
    ((stored,),) = cluster.sql("SELECT rolpassword FROM pg_authid WHERE rolname = 'postgres'")
    assert stored.startswith("SCRAM-SHA-256$" if cluster.version in VersionSet(">=10") else "md5")
    assert stored not in cluster.log.text()
