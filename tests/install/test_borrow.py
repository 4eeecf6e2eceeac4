"""Client tools of a newer major against real servers of older ones."""

from __future__ import annotations

import os
import subprocess

import pytest

from pytest_pgfeatures.install import parse_requests
from pytest_pgfeatures.install.borrow import LENDABLE, lenders
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.version import PgVersion


@pytest.fixture(scope="module")
def old_server(shared):
    """A server that comes without any client tool."""
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
    "pg_recvlogical": ["--dbname=postgres", "--slot=borrowed", "--create-slot", "--plugin=test_decoding"],
}


@pytest.mark.parametrize("tool", COMMANDS)
def test_the_borrowed_tool_works(shared, old_server, tool):
    lender = shared.borrow(tool, old_server.version)
    assert lender.version > old_server.version
    environment = {**os.environ, **dict(lender.environment), "PGHOST": old_server.host}
    environment |= {"PGPORT": str(old_server.port), "PGUSER": old_server.user, "PGDATABASE": "postgres"}
    ran = subprocess.run(
        [lender.program(tool), *COMMANDS[tool]], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_tools_that_write_in_a_majors_own_format_are_lent_to_nobody():
    assert {lendable.tool for lendable in LENDABLE} == {*COMMANDS, "pg_basebackup", "pg_receivewal"}
    for tool in ("pg_upgrade", "pg_ctl", "initdb", "pg_resetwal", "pg_waldump"):
        assert str(lenders(tool, PgVersion("13.2"))) == "13"
