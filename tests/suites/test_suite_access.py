"""Access to the server of a suite written for pytest-postgresql: only the suite can connect."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

SUITE = """
import os
import pathlib

import psycopg
import pytest
from pytest_postgresql import factories
from sqlalchemy import NullPool, create_engine, text

NO_FILE = {"passfile": "/dev/null/none"}
own = factories.postgresql_proc(port=None, user="al:ice")
given = factories.postgresql_proc(port=None, password="se'c:r\\\\\\\\et")
layered = factories.postgresql_noproc(depends_on="own", dbname="layered")
postgresql_own = factories.postgresql("own")
postgresql_given = factories.postgresql("given")
postgresql_layered = factories.postgresql("layered")


def stranger(proc, **options):
    return psycopg.connect(
        host=proc.host, port=proc.port, user=proc.user, dbname="postgres", **NO_FILE | options
    )


@pytest.mark.parametrize("name", ["own", "given", "postgresql_proc"])
def test_strangers_are_refused(name, own, given, postgresql_proc):
    proc = {"own": own, "given": given, "postgresql_proc": postgresql_proc}[name]
    for options in ({}, {"password": ""}, {"password": "wrong"}):
        with pytest.raises(psycopg.OperationalError, match="no password supplied|password authentication failed"):
            stranger(proc, **options)
    assert len(proc.password) >= 10
    with stranger(proc, password=proc.password) as connection:
        lines = pathlib.Path(proc.datadir, "pg_hba.conf").read_text().splitlines()
        method = "scram-sha-256" if connection.info.server_version >= 100000 else "md5"
        over_tcp = [line.split() for line in lines if line.startswith("host")]
        assert over_tcp
        assert all(words[-1] == method for words in over_tcp)
        [stored] = connection.execute("SELECT rolpassword FROM pg_authid WHERE rolname = current_user").fetchone()
        assert stored.startswith("SCRAM-SHA-256$" if method == "scram-sha-256" else "md5")


def test_clients(postgresql, postgresql_own, postgresql_given, postgresql_layered):
    for connection in (postgresql, postgresql_own, postgresql_given, postgresql_layered):
        connection.execute("CREATE TABLE t ()")


@pytest.mark.parametrize("login", ["", ":", ":{info.password}"])
def test_urls_as_readmes_have_them(postgresql, login):
    info = postgresql.info
    address = f"{info.user}{login.format(info=info)}@{info.host}:{info.port}/{info.dbname}"
    with create_engine(f"postgresql+psycopg://{address}", poolclass=NullPool).connect() as connection:
        assert connection.execute(text("SELECT 1")).scalar() == 1
    with psycopg.connect(f"postgresql://{address}") as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_localhost(postgresql):
    info = postgresql.info
    psycopg.connect(host="localhost", port=info.port, user=info.user, dbname=info.dbname).close()


def test_without_a_server():
    assert os.environ.get("PGPASSFILE") == STARTED_WITH
"""
ON_EACH_VERSION = 8


@pytest.mark.thorough
@pytest.mark.parametrize("passfile", [None, "/home/me/pgpass"])
def test_over_tcp_a_password_is_needed_and_handed_to_the_suite(
    passfile: str | None, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    if passfile:
        monkeypatch.setenv("PGPASSFILE", passfile)
    pytester.makepyfile(f"STARTED_WITH = {passfile!r}\n{SUITE}")
    result = pytester.runpytest_subprocess("--pg=9.6,10,14,18")
    result.assert_outcomes(passed=4 * ON_EACH_VERSION + 1)


def test_a_directory_as_the_host_means_the_socket(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import psycopg
        import pytest
        from pytest_postgresql import factories

        own = factories.postgresql_proc(host="/tmp", password="of the suite")
        postgresql_own = factories.postgresql("own")

        @pytest.mark.parametrize("name", ["own", "postgresql_proc"])
        def test_it(name, own, postgresql_proc):
            proc = {"own": own, "postgresql_proc": postgresql_proc}[name]
            assert proc.host == proc.unixsocketdir
            options = {"host": proc.host, "port": proc.port, "user": proc.user}
            with psycopg.connect(**options, dbname="postgres") as connection:
                assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
            with pytest.raises(psycopg.OperationalError, match="refused"):
                psycopg.connect(**options | {"host": "127.0.0.1"})

        def test_clients(postgresql, postgresql_own):
            assert postgresql.info.host != postgresql_own.info.host
            assert postgresql_own.info.password == "of the suite"
        """
    )
    result = pytester.runpytest_subprocess("--pg=9.6,18", "--postgresql-host=/var/run/postgresql")
    result.assert_outcomes(passed=6)


def test_the_password_file_is_for_us_alone_and_goes(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import os
        import stat

        def test_it(postgresql_proc):
            told = os.stat(os.environ["PGPASSFILE"])
            assert stat.S_IMODE(told.st_mode) == 0o600
            assert told.st_uid == os.geteuid()
            with open("named", "w") as file:
                file.write(os.environ["PGPASSFILE"])
        """
    )
    pytester.runpytest_subprocess("--pg=16").assert_outcomes(passed=1)
    assert not Path((pytester.path / "named").read_text()).exists()
