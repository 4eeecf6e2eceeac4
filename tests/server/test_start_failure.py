"""A server that does not start says why: its log, its command line, what to do."""

from __future__ import annotations

import shutil
import socket
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import ServerStartError
from pytest_pgfeatures.install import Resolver, Store
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.server.start_failure import remedy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_pgfeatures.server import Cluster

    CreatePg = Callable[..., Cluster]


def refusal(start: Callable[[], object]) -> ServerStartError:
    with pytest.raises(ServerStartError) as caught:
        start()
    error = caught.value
    assert "did not start" in error.problem
    assert "/bin/postgres -D " in error.details[0]
    assert len(error.details) > 1, "its log"
    assert error.remedy is not None
    return error


@pytest.mark.pg
@pytest.mark.parametrize(
    ("setting", "value", "advice"),
    [
        ("no_such_setting", "1", "this major has no setting no_such_setting"),
        ("work_mem", "plenty", "correct the value of the setting work_mem"),
        ("max_connections", "-5", "correct the value of the setting max_connections"),
        ("shared_preload_libraries", "no_such_library", "this install has no library no_such_library"),
    ],
)
def test_a_wrong_setting_is_named(create_pg: CreatePg, setting: str, value: str, advice: str) -> None:
    error = refusal(lambda: create_pg(settings={setting: value}))
    assert advice in str(error.remedy)
    assert any(setting in line or value in line for line in error.details)


@pytest.mark.pg("18")
def test_a_data_directory_of_another_major(create_pg: CreatePg) -> None:
    old, new = create_pg("old", version="14"), create_pg("new")
    old.stop()
    old.install = new.install
    error = refusal(old.start)
    assert any("initialized by PostgreSQL version 14" in line for line in error.details)
    assert "made by another major" in str(error.remedy)
    assert not old.running()


@pytest.mark.pg("18")
def test_a_data_directory_that_another_server_uses(create_pg: CreatePg) -> None:
    first, second = create_pg("first"), create_pg("second")
    second.stop()
    second.datadir = first.datadir
    error = refusal(second.start)
    assert "another server runs in this data directory" in str(error.remedy)
    assert first.sql("SELECT 1") == [(1,)]


@pytest.mark.pg("18")
def test_a_data_directory_that_others_may_enter(create_pg: CreatePg) -> None:
    cluster = create_pg()
    cluster.stop()
    cluster.datadir.chmod(0o777)
    assert "mode 0700" in str(refusal(cluster.start).remedy)


@pytest.mark.pg("18")
def test_a_damaged_data_directory_shows_the_servers_words(create_pg: CreatePg) -> None:
    cluster = create_pg()
    cluster.stop()
    shutil.rmtree(cluster.datadir / "global")
    error = refusal(cluster.start)
    assert any("global" in line for line in error.details)


@pytest.mark.pg
def test_a_port_that_was_taken_meanwhile_is_changed(create_pg: CreatePg) -> None:
    cluster = create_pg(tcp=True)
    cluster.stop()
    taken = cluster.port
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", taken))
        other.listen()
        cluster.start()
        assert cluster.port != taken
        assert cluster.sql("SELECT inet_server_port()") == [(cluster.port,)]


KILLS_ITSELF = """#!/bin/sh
echo >> {place}/starts
test $(wc -l < {place}/starts) -gt {kills} || kill -9 $$
exec {postgres} "$@"
"""


@pytest.mark.parametrize("kills", [1, 2, 3])
def test_a_new_server_that_is_killed_while_it_starts_is_made_anew(reachable_path: Path, kills: int) -> None:
    """As by the kernel when memory is short; but not for ever."""
    install = Resolver().resolve("18")
    reachable_path.chmod(0o777)  # for the servers' user
    bindir = reachable_path / "bin"
    bindir.mkdir()
    program = bindir / "postgres"
    program.write_text(
        KILLS_ITSELF.format(place=reachable_path, kills=kills, postgres=install.program("postgres"))
    )
    program.chmod(0o755)
    with Clusters(Store.open()) as clusters:
        if kills == 3:
            with pytest.raises(ServerStartError, match="ended with status -9"):
                clusters.create(replace(install, bindir=bindir), template_of=install)
        else:
            cluster = clusters.create(replace(install, bindir=bindir), template_of=install)
            assert cluster.sql("SELECT 1") == [(1,)]
            assert (cluster.name, list(clusters)) == ("pg18", [cluster])
    assert len((reachable_path / "starts").read_text()) == min(kills + 1, 3)


STARTUP_IS_KILLED = """#!/bin/sh
echo >> {place}/starts
test $(wc -l < {place}/starts) -gt 1 && exec {postgres} "$@"
touch "$2/recovery.signal"
(
    until file=$(grep -ls '^postgres: startup' $(sed 's|[0-9][0-9]*|/proc/&/cmdline|g' /proc/$$/task/$$/children))
    do sleep 0.01
    done
    kill -9 $(echo $file | cut -d/ -f3)
) &
exec {postgres} "$@" -c restore_command='sleep 60'
"""


def test_a_new_server_whose_startup_process_is_killed_is_made_anew(reachable_path: Path) -> None:
    """Its postmaster ends with status 1."""
    install = Resolver().resolve("18")
    reachable_path.chmod(0o777)  # for the servers' user
    bindir = reachable_path / "bin"
    bindir.mkdir()
    program = bindir / "postgres"
    program.write_text(STARTUP_IS_KILLED.format(place=reachable_path, postgres=install.program("postgres")))
    program.chmod(0o755)
    with Clusters(Store.open()) as clusters:
        cluster = clusters.create(replace(install, bindir=bindir), template_of=install)
        assert cluster.sql("SELECT 1") == [(1,)]
    assert len((reachable_path / "starts").read_text()) == 2


@pytest.mark.parametrize(
    ("log", "advice"),
    [
        (
            'FATAL:  could not load library "/x/lib/llvmjit.so": libLLVM',
            "install what /x/lib/llvmjit.so needs",
        ),
        ("PANIC:  could not write to file: No space left on device", "free some space"),
        ('FATAL:  Unix-domain socket path "/x" is too long (maximum 107 bytes)', "a shorter path"),
        ("FATAL:  could not map anonymous shared memory: Cannot allocate memory", "lower shared_buffers"),
        ("something else", "see the last lines of its log"),
    ],
)
def test_what_a_log_means(log: str, advice: str) -> None:
    assert advice in remedy(log)
