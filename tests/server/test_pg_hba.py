"""Lines of pg_hba.conf that a test gives its server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from pytest_pgfeatures.errors import PgFeaturesError, ServerStartError
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.server import Cluster

    CreatePg = Callable[..., Cluster]

pytest_plugins = ["pytester"]

WITH_MD5 = "SET password_encryption = {on}; CREATE ROLE alice LOGIN PASSWORD 'secret'"


def make_alice(cluster: Cluster) -> None:
    """A role whose password is kept as MD5."""
    cluster.sql(WITH_MD5.format(on="md5" if cluster.version in VersionSet(">=10") else "on"))


@pytest.mark.pg
def test_they_count_before_ours(create_pg: CreatePg) -> None:
    cluster = create_pg(pg_hba=["local all alice md5", "local postgres bob reject"])
    make_alice(cluster)
    cluster.sql("CREATE ROLE bob LOGIN; CREATE ROLE carol LOGIN")
    with cluster.connect(user="alice", password="secret") as connection:
        assert connection.execute("SELECT current_user").fetchone() == ("alice",)
    for password in ("", "wrong"):
        with pytest.raises(psycopg.OperationalError, match="password"):
            cluster.connect(user="alice", password=password)
    with pytest.raises(psycopg.OperationalError, match="rejects connection"):
        cluster.connect(user="bob")
    cluster.connect("template1", user="bob").close()
    cluster.connect(user="carol").close()


@pytest.mark.pg("9.6,>=17")
def test_the_superuser_and_standbys_are_never_locked_out(create_pg: CreatePg) -> None:
    lines = "# nobody\nlocal all all reject\nlocal replication all reject\n"
    cluster = create_pg(pg_hba=lines, settings={"wal_level": "replica"})
    for server in (cluster, cluster.standby()):
        assert server.sql("SELECT current_user") == [("postgres",)]


@pytest.mark.pg("14", needs=["pg_upgrade"])
def test_md5_logins_survive_an_upgrade(create_pg: CreatePg) -> None:
    cluster = create_pg(pg_hba=["local all alice md5"])
    make_alice(cluster)
    upgraded = cluster.upgrade_to("18")
    upgraded.connect(user="alice", password="secret").close()
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        upgraded.connect(user="alice", password="wrong")


@pytest.mark.pg("9.6,18")
def test_a_line_that_is_none_is_named_in_the_error(create_pg: CreatePg) -> None:
    with pytest.raises(ServerStartError) as caught:
        create_pg(pg_hba=["local all all no-such-method"])
    assert 'invalid authentication method "no-such-method"' in str(caught.value)
    assert "what to do: correct the lines of pg_hba=" in str(caught.value)
    with pytest.raises(PgFeaturesError, match="is not a list of lines"):
        create_pg(pg_hba=[("local", "all")])


def test_the_marker_gives_them_and_tests_with_the_same_lines_share_a_server(
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(
        """
        import psycopg
        import pytest
        from pytest_postgresql import factories

        pytestmark = pytest.mark.pg(pg_hba=["local all all reject"])
        on_tcp = factories.postgresql("postgresql_proc")
        PIDS = []

        @pytest.mark.parametrize("n", range(2))
        @pytest.mark.pg(pg_hba=["local all alice trust"])
        def test_shared(pg_cluster, pg_connection, n):
            PIDS.append(pg_cluster.pid)
            if n == 0:
                pg_connection.execute("CREATE ROLE alice LOGIN; CREATE ROLE bob LOGIN")
            pg_cluster.connect(user="alice").close()
            with pytest.raises(psycopg.OperationalError, match="rejects connection"):
                pg_cluster.connect(user="bob")

        def test_others(pg_cluster, create_pg):
            assert PIDS[0] == PIDS[1] != pg_cluster.pid
            own = create_pg()
            own.sql("CREATE ROLE carol LOGIN")
            with pytest.raises(psycopg.OperationalError, match="rejects connection"):
                own.connect(user="carol")

        @pytest.mark.pg(pg_hba="host all alice all reject")
        def test_suite(on_tcp, postgresql_proc):
            on_tcp.execute("CREATE ROLE alice LOGIN")
            on_tcp.commit()
            with pytest.raises(psycopg.OperationalError, match="rejects connection"):
                psycopg.connect(host="127.0.0.1", port=postgresql_proc.port, user="alice", dbname="postgres")
        """
    )
    pytester.runpytest_subprocess("--pg=18").assert_outcomes(passed=4)
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.pg(pg_hba=[5])
        def test_it(pg_cluster):
            pass
        """
    )
    wrong = pytester.runpytest_subprocess("--pg=18")
    wrong.stdout.fnmatch_lines(["*pg_hba=?5? is not a list of lines*"])
