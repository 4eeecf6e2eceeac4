"""Client programs of a newer major against real servers of older ones."""

from __future__ import annotations

import os
import subprocess

import pytest

from pytest_pgfeatures.install import parse_requests
from pytest_pgfeatures.install.client_compatibility import COMPATIBLE_CLIENTS, client_versions
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.version import PgVersion


@pytest.fixture(scope="module")
def old_server(shared):
    """A server that comes without any client program."""
    with Clusters(shared.store) as clusters:
        install = shared.resolve(parse_requests("maven:9.6")[0])
        yield clusters.create(
            install, settings={"wal_level": "logical", "max_wal_senders": "4", "max_replication_slots": "2"}
        )


COMMANDS = {
    "psql": ["-Atc", "SELECT 1"],
    "pg_dump": ["--schema-only"],
    "pg_dumpall": ["--globals-only"],
    "pgbench": ["-i", "-q"],
    "pg_recvlogical": ["--dbname=postgres", "--slot=newer", "--create-slot", "--plugin=test_decoding"],
}


@pytest.mark.parametrize("tool", COMMANDS)
def test_the_newer_program_works(shared, old_server, tool):
    newer = shared.client(tool, old_server.version)
    assert newer.version > old_server.version
    environment = {**os.environ, **dict(newer.environment), "PGHOST": old_server.host}
    environment |= {"PGPORT": str(old_server.port), "PGUSER": old_server.user, "PGDATABASE": "postgres"}
    ran = subprocess.run(
        [newer.program(tool), *COMMANDS[tool]], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_programs_that_write_in_a_majors_own_format_serve_their_own_major_only():
    assert {client.program for client in COMPATIBLE_CLIENTS} == {*COMMANDS, "pg_basebackup", "pg_receivewal"}
    for tool in ("pg_upgrade", "pg_ctl", "initdb", "pg_resetwal", "pg_waldump"):
        assert str(client_versions(tool, PgVersion("13.2"))) == "13"
