"""Servers without pytest: `Workbench`."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from pytest_pgfeatures import PgFeaturesError, Workbench
from pytest_pgfeatures.errors import ArchiveError


@pytest.mark.processes
@pytest.mark.pg(matrix=False)
def test_a_server_ends_with_the_block() -> None:
    with Workbench() as pg:
        server = pg.cluster("18", settings={"work_mem": "64MB", "jit": False})
        assert server.sql("SHOW work_mem") == [("64MB",)]
        assert server.sql("SHOW jit") == [("off",)]
        ((directory,),) = server.sql("SHOW data_directory")
        parameters = server.connection_parameters()
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(**parameters)
    assert not Path(directory).exists()


@pytest.mark.processes
def test_a_server_by_tcp_wants_its_password() -> None:
    with Workbench() as pg:
        server = pg.cluster("14", tcp=True)
        assert server.sql("SHOW listen_addresses") == [("127.0.0.1",)]
        with server.connect(host="127.0.0.1") as connection:
            assert connection.execute("SELECT inet_server_port()").fetchone() == (server.port,)
        with pytest.raises(psycopg.OperationalError, match="password"):
            psycopg.connect(**server.connection_parameters() | {"host": "127.0.0.1", "password": "another"})


def test_an_unknown_version_is_an_error_and_starts_nothing() -> None:
    with Workbench() as pg, pytest.raises(PgFeaturesError, match="8"):
        pg.cluster("8.4")


@pytest.mark.processes
def test_it_needs_no_pytest() -> None:
    script = (
        "import sys\nfrom pytest_pgfeatures import Workbench\n"
        "with Workbench() as pg: print(pg.cluster('18').sql('SELECT 1 + 1'), 'pytest' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[(2,)] False"


@pytest.mark.processes
def test_threads_share_one_supervisor() -> None:
    with Workbench("14,18") as pg, ThreadPoolExecutor(2) as threads:
        assert [cell.id for cell in pg.cells] == ["pg14", "pg18"]
        clusters = list(threads.map(pg.cluster, pg.cells))
        assert [str(cluster.version.major) for cluster in clusters] == ["14", "18"]
        assert sorted(each.name for each in pg) == ["pg14", "pg18"]
        assert len({cluster.datadir.parents[1] for cluster in clusters}) == 1


def test_the_lock_file_of_the_directory_counts(tmp_path: Path) -> None:
    (tmp_path / "pgfeatures.lock").write_text("no lock file")
    with Workbench("pypi:18", directory=tmp_path) as pg, pytest.raises(ArchiveError, match="lock file"):
        pg.resolver.inventory.newest_release("pypi", pg.requests[0])
