"""Machines that are not as one would like: closed homes, users without a name, endless paths."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_pgfeatures.errors import InstallNotFoundError, StoreError
from pytest_pgfeatures.install import Resolver, Store, parse_requests

PROGRAM = Path(sys.executable).parent / "pgfeatures"
PR_CAPBSET_DROP = 24  # <linux/prctl.h>
CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 1, 2  # <linux/capability.h>

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="takes capabilities away")


def obey_modes():
    """Have root's child be bound by permission bits as everyone else is."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
            assert libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0


@pytest.fixture
def closed_home(tmp_path):
    home = tmp_path / "home"
    (home / ".m2").mkdir(parents=True)
    (home / ".m2" / "settings.xml").write_text("<settings/>")
    home.chmod(0)
    yield home
    home.chmod(0o700)


def run_with(home, *command, cwd, **environment):
    return subprocess.run(
        command,
        env={**os.environ, "HOME": str(home), **environment},
        cwd=cwd,
        preexec_fn=obey_modes,
        capture_output=True,
        text=True,
        check=False,
    )


@on_linux
def test_a_home_that_may_not_be_looked_into_keeps_nobody_from_other_installs(closed_home, tmp_path, shared):
    install = shared.resolve(parse_requests("maven:13")[0])
    seen = run_with(closed_home, "ls", str(closed_home), cwd=tmp_path)
    assert seen.returncode != 0, "the home can be read: the test shows nothing"
    listed = run_with(closed_home, PROGRAM, "list", cwd=tmp_path)
    assert (listed.returncode, without_waiting(listed.stderr)) == (0, "")
    assert str(install.bindir) in listed.stdout.replace("\n", "")
    doctor = run_with(closed_home, PROGRAM, "doctor", cwd=tmp_path)
    assert (doctor.returncode, without_waiting(doctor.stderr)) == (0, "")


def without_waiting(text):
    """Without what is said where another process has a lock for a while, as on a slow machine."""
    waiting = "pytest-pgfeatures: waiting for another process"
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(waiting))


@pytest.mark.skipif(
    os.geteuid() == 0, reason="root without its rights can't use directories of the servers' account"
)
def test_a_home_that_may_not_be_looked_into_keeps_no_test_from_its_server(closed_home, tmp_path, shared):
    shared.resolve(parse_requests("maven:13")[0])
    (tmp_path / "test_it.py").write_text("def test_it(pg_connection): pg_connection.execute('SELECT 1')\n")
    ran = run_with(closed_home, sys.executable, "-m", "pytest", "--pg=maven:13", "test_it.py", cwd=tmp_path)
    assert " 1 passed" in ran.stdout, ran.stdout + ran.stderr


@pytest.mark.thorough
@on_linux
def test_a_home_that_may_not_be_looked_into_keeps_no_release_from_being_fetched(
    closed_home, tmp_path, empty_store
):
    environment = {"PGFEATURES_CACHE": str(empty_store.root)}
    fetched = run_with(closed_home, PROGRAM, "install", "maven:9.6.10", cwd=tmp_path, **environment)
    assert fetched.stdout.startswith("pg9.6: PostgreSQL 9.6.10 (maven: "), fetched.stderr


@on_linux
def test_without_a_place_of_its_own_the_store_says_what_to_do(closed_home, tmp_path):
    program = (
        "import os; os.geteuid = lambda: 1000\n"  # or root has its store elsewhere
        "from pytest_pgfeatures.cli import main; main()"
    )
    said = run_with(
        closed_home,
        sys.executable,
        "-c",
        program,
        "list",
        cwd=tmp_path,
        PGFEATURES_CACHE="",
        XDG_CACHE_HOME="",
    )
    assert said.returncode == 2
    assert said.stderr.startswith("pgfeatures: the store ")
    assert "PGFEATURES_CACHE" in said.stderr
    assert "Traceback" not in said.stderr


@pytest.mark.root
def test_a_user_without_name_and_home_is_told_what_to_do(reachable_path):
    """All is imported first: that user may not even read our files."""
    (reachable_path / "bin").mkdir()
    (reachable_path / "bin" / "postgres").touch()
    program = """
import os, sys, tempfile
from pathlib import Path
from pytest_pgfeatures.errors import DownloadError, StoreError
from pytest_pgfeatures.install import Store, maven, pypi, system
import jgo.config, jgo.maven
try:
    maven._project(maven.ZONKY + "-x", Path("/nonexistent"))
except (OSError, DownloadError):
    pass
for variable in ("HOME", "PGFEATURES_CACHE", "XDG_CACHE_HOME"):
    os.environ.pop(variable, None)
os.setgroups([])
os.setresgid(12345, 12345, 12345)
os.setresuid(12345, 12345, 12345)
try:
    Store.open()
except StoreError as error:
    print(error)
system.PLACES = (system.UsualPlace("home", "~/pg/bin"), system.UsualPlace("beside it", sys.argv[1] + "/bin"))
os.environ["PATH"] = "/nowhere"
print([packager for _, packager in system.system_bindirs()], pypi._environment(None)["HOME"])
print(maven.mirror_of_central(), maven._project(maven.ZONKY + "-x", Path("/nonexistent")) is not None)
"""
    command = [sys.executable, "-c", program, reachable_path]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.stderr == ""
    assert said.stdout.splitlines() == [
        "there is no place for the store: the home directory of user 12345 is not known",
        "what to do: set PGFEATURES_CACHE to a directory that this user may write",
        "['beside it'] /nonexistent",
        "{} True",
    ]


@pytest.mark.parametrize("text", ["path:~nobody-of-that-name/x", "14,path:~nobody-of-that-name"])
def test_the_home_of_nobody_is_named(text):
    with pytest.raises(InstallNotFoundError, match=r"~nobody-of-that-name.* is not known"):
        parse_requests(text)


def test_the_home_of_nobody_in_a_variable_is_named(monkeypatch, empty_store):
    monkeypatch.setenv("PGFEATURES_PATH", "~nobody-of-that-name/x")
    with pytest.raises(InstallNotFoundError, match="PGFEATURES_PATH names ~nobody-of-that-name"):
        Resolver(empty_store, offline=True).inventory.local("path")
    monkeypatch.setenv("PGFEATURES_CACHE", "~nobody-of-that-name/x")
    with pytest.raises(StoreError, match="PGFEATURES_CACHE=~nobody-of-that-name/x"):
        Store.open()


@pytest.mark.parametrize("path", ["/tmp/" + "n" * 256, "/" + "n/" * 3_000], ids=["component", "path"])
def test_a_path_that_no_file_system_has_is_refused(monkeypatch, empty_store, path):
    (request,) = parse_requests(f"path:{path}")
    with pytest.raises(InstallNotFoundError, match="File name too long"):
        Resolver(empty_store, offline=True).cells([request])
    monkeypatch.setenv("PGFEATURES_PATH", path)
    with pytest.raises(InstallNotFoundError, match="File name too long"):
        Resolver(empty_store, offline=True).inventory.local("path")
    monkeypatch.setenv("PGFEATURES_CACHE", path)
    with pytest.raises(StoreError, match=r"can't be (used|written)") as caught:
        Store.open()
    assert "File name too long" in caught.value.details[0]
    assert not Path("/n").exists()


NO_POSIX = "import sys; sys.modules.update(fcntl=None, pwd=None, grp=None, resource=None)\n"


def test_on_windows_a_server_is_refused_with_the_reason():
    program = NO_POSIX + (
        "import os; sys.platform = 'win32'; del os.geteuid, os.uname\n"
        "from pytest_pgfeatures.errors import InstallError\n"
        "from pytest_pgfeatures.install import Store\n"
        "try: Store.open()\n"
        "except InstallError as error: print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "on Linux and macOS only, and this is Windows" in said.stdout, said.stderr
    assert "WSL" in said.stdout


def test_what_needs_no_server_needs_nothing_that_only_posix_has():
    program = NO_POSIX + (
        "import pytest_pgfeatures.plugin\n"
        "from pytest_pgfeatures import parse_plan, render\n"
        "from pytest_pgfeatures.literals import read_numeric\n"
        "from pytest_pgfeatures.behaviors.registry import atlas\n"
        "print(render(parse_plan('Result  (cost=0.00..0.01 rows=1 width=4)')), read_numeric('0x1F', 16).value)\n"
        "print(len(atlas()) > 500)\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert said.stdout == "Result  (cost=0.00..0.01 rows=1 width=4) 31\nTrue\n", said.stderr
