"""Client programs of a newer major against real servers of older ones."""

from __future__ import annotations

import os
import subprocess

import pytest

from pytest_pgfeatures.install import parse_requests
from pytest_pgfeatures.install.client_compatibility import COMPATIBLE_CLIENTS, client_versions
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.version import PgVersion, VersionSet


@pytest.fixture(scope="module", params=["9.3", "9.6", "13"])
def old_server(request, shared):
    """A server that comes without any client program, with a database that can be dropped and a role."""
    settings = {"wal_level": "hot_standby" if request.param == "9.3" else "logical", "max_wal_senders": "4"}
    if request.param != "9.3":  # replication slots came with 9.4
        settings["max_replication_slots"] = "2"
    with Clusters(shared.store) as clusters:
        install = shared.resolve(parse_requests(f"maven:{request.param}")[0])
        cluster = clusters.create(install, settings=settings)
        cluster.sql("CREATE DATABASE old_database")
        cluster.sql("CREATE ROLE old_role")
        yield cluster


COMMANDS = {
    "psql": ["-Atc", "SELECT 1"],
    "pg_dump": ["--schema-only"],
    "pg_dumpall": ["--globals-only"],
    "pgbench": ["-i", "-q"],
    "pg_recvlogical": ["--dbname=postgres", "--slot=newer", "--create-slot", "--plugin=test_decoding"],
    "pg_restore": ["--clean", "--if-exists", "--dbname=postgres", "DUMP"],
    "createdb": ["new_database"],
    "dropdb": ["old_database"],
    "createuser": ["--no-password", "new_role"],
    "dropuser": ["old_role"],
    "clusterdb": [],
    "reindexdb": [],
    "vacuumdb": ["--analyze"],
    "pg_isready": [],
}
UNDONE = {
    "pg_recvlogical": ["SELECT pg_drop_replication_slot('newer')"],
    "createdb": ["DROP DATABASE new_database"],
    "dropdb": ["CREATE DATABASE old_database"],
    "createuser": ["DROP ROLE new_role"],
    "dropuser": ["CREATE ROLE old_role"],
}


SINCE = {"pg_recvlogical": "9.4", "createuser": "9.5", "pg_restore": "9.6"}


@pytest.mark.parametrize("tool", COMMANDS)
@pytest.mark.parametrize("which", ["nearest", "newest"])
def test_a_newer_program_works(shared, old_server, tool, which, tmp_path):
    versions = client_versions(tool, old_server.version)
    if old_server.version not in VersionSet(f">={SINCE.get(tool, '9.3')}"):
        assert versions == VersionSet(old_server.version.major)
        return
    if which == "nearest":
        newer = shared.client(tool, old_server.version)
    else:
        newer = shared.resolve(parse_requests("pypi:16" if tool == "pg_restore" else "pypi:18")[0])
    assert newer.version > old_server.version
    assert newer.version in versions
    if tool == "pg_restore":
        run(newer, old_server, "pg_dump", "--format=custom", f"--file={tmp_path / 'dump'}")
    arguments = [argument.replace("DUMP", str(tmp_path / "dump")) for argument in COMMANDS[tool]]
    ran = run(newer, old_server, tool, *arguments)
    assert (ran.returncode, [line for line in ran.stderr.splitlines() if "error" in line.lower()]) == (0, [])
    for statement in UNDONE.get(tool, ()):
        old_server.sql(statement)


def run(newer, old_server, tool, *arguments):
    environment = {**os.environ, **dict(newer.environment), "PGHOST": old_server.host}
    environment |= {"PGPORT": str(old_server.port), "PGUSER": old_server.user, "PGDATABASE": "postgres"}
    return subprocess.run(
        [newer.program(tool), *arguments], env=environment, capture_output=True, text=True, check=False
    )


def test_programs_that_write_in_a_majors_own_format_serve_their_own_major_only():
    assert {client.program for client in COMPATIBLE_CLIENTS} == {*COMMANDS, "pg_basebackup", "pg_receivewal"}
    for tool in ("pg_upgrade", "pg_ctl", "initdb", "pg_resetwal", "pg_waldump"):
        assert str(client_versions(tool, PgVersion("13.2"))) == "13"
