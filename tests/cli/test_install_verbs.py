"""pgfeatures install, list, doctor and clean, as a user runs them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from pytest_pgfeatures.install import Resolver, parse_requests

PGFEATURES = str(Path(sys.executable).with_name("pgfeatures"))


@pytest.fixture(scope="module")
def shared():
    return Resolver()


@pytest.fixture(scope="module")
def install(shared):
    """A small install from the user's own store."""
    return shared.resolve(parse_requests("maven:9.6")[0])


@pytest.fixture
def place():
    """A directory that the user who runs servers may enter."""
    path = Path(tempfile.mkdtemp(prefix="pgfeatures-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def store(place, install):
    """A store of its own with that install in it."""
    target = place / "store" / "installs" / install.bindir.parent.name
    shutil.copytree(install.bindir.parent, target, symlinks=True, copy_function=link_or_copy)
    return place / "store"


def link_or_copy(source, target):
    """A second name for the same file where both are on one file system: do not write into it."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def pgfeatures(*arguments, status=0, cwd=None, **environment):
    """Run the command without a terminal; returns what it wrote to stdout and stderr."""
    ran = subprocess.run(
        [PGFEATURES, *arguments],
        env={**os.environ, "COLUMNS": "100", **environment},
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == status, ran.stderr
    assert "Traceback" not in ran.stderr
    return ran.stdout, ran.stderr


def test_list_json_is_a_list_of_objects_with_these_four_keys(install):
    stdout, _ = pgfeatures("list", "--json", "-")
    listed = json.loads(stdout)
    assert all(set(one) == {"version", "source", "bindir", "capabilities"} for one in listed)
    (mine,) = [one for one in listed if one["bindir"] == str(install.bindir)]
    assert mine["version"] == str(install.version)
    assert mine["source"] == "maven"
    assert set(mine["capabilities"]) == install.capabilities


def test_list_shows_each_install_at_hand(install, store):
    stdout, _ = pgfeatures("list", PGFEATURES_CACHE=str(store))
    (row,) = [
        line.split()
        for line in stdout.splitlines()
        if line.startswith(f"{install.version} ") and "0/6" in line
    ]
    assert row[1] == "maven"
    assert row[-1] == str(sum(name.startswith("contrib:") for name in install.capabilities))
    assert str(store / "installs" / install.bindir.parent.name / "bin") in stdout


def test_list_available_shows_the_newest_release_of_each_major(shared):
    stdout, _ = pgfeatures("list", "--available")
    rows = {
        line.split()[0]: line.split()[1:]
        for line in stdout.splitlines()
        if line.strip() and line.strip()[0] in "19"
    }
    newest = shared.inventory.releases("pypi")[-1].version
    assert rows[str(newest.major)][0] == str(newest)
    assert rows["12"][0] == "-"
    assert rows["9.3"] == ["-", "9.3.5"]


def test_install_says_what_it_uses_and_fetches_nothing_that_is_there(store, install):
    stdout, stderr = pgfeatures("install", "maven:9.6", PGFEATURES_CACHE=str(store), PGFEATURES_OFFLINE="1")
    assert (
        stdout
        == f"pg9.6: PostgreSQL {install.version} (maven: {store}/installs/{install.bindir.parent.name}/bin)\n"
    )
    assert stderr == ""


def test_install_lock_records_what_is_there_already_and_the_record_is_then_checked(store, install, place):
    arguments = ("install", "maven:9.6")
    environment = {"PGFEATURES_CACHE": str(store), "PGFEATURES_OFFLINE": "1"}
    pgfeatures(*arguments, "--lock", cwd=place, **environment)
    lock = place / "pgfeatures.lock"
    (entry,) = json.loads(lock.read_text())["archives"]
    assert (entry["source"], entry["version"]) == ("maven", str(install.version))
    assert len(entry["sha256"]) == 64
    pgfeatures(*arguments, cwd=place, **environment)
    lock.write_text(lock.read_text().replace(entry["sha256"], "0" * 64))
    _, stderr = pgfeatures(*arguments, cwd=place, status=2, **environment)
    assert "is not the archive that" in stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["install", ">=99"], "no such version"),
        (["install", "17..14"], "runs backwards"),
        (["install", "docker:17"], "there is no source 'docker'"),
        (["install", "path:/nowhere"], "/nowhere, which is not a directory"),
        (["install", "maven:9.6", "--needs", "pg_dumb"], "did you mean 'pg_dump'?"),
        (["install", "maven:9.6", "--needs", "icu"], "has icu"),
        (["install", "maven:9.7"], "no PostgreSQL 9.7"),
    ],
)
def test_what_the_user_can_put_right_is_said_without_a_traceback(arguments, said):
    _, stderr = pgfeatures(*arguments, status=2)
    assert said in stderr
    assert "what to do: " in stderr


def test_a_version_that_is_missing_offline_is_named_and_the_others_are_still_made_ready(store):
    stdout, stderr = pgfeatures(
        "install", "maven:9.6,maven:12", status=2, PGFEATURES_CACHE=str(store), PGFEATURES_OFFLINE="1"
    )
    assert stdout.startswith("pg9.6: ")
    assert "PostgreSQL maven:12 is not available offline" in stderr


@pytest.mark.parametrize("verb", ["list", "doctor", "clean", "install"])
def test_a_store_that_is_no_directory_is_an_error_of_every_verb(place, verb):
    (place / "file").write_text("in the way")
    arguments = [verb, "17"] if verb == "install" else [verb]
    stdout, stderr = pgfeatures(
        *arguments, status=1 if verb == "doctor" else 2, PGFEATURES_CACHE=str(place / "file")
    )
    assert "can't be used" in stdout + stderr
    assert "PGFEATURES_CACHE" in stdout + stderr


def test_doctor_shows_all_that_was_probed_and_what_came_of_it(store, install):
    stdout, _ = pgfeatures("doctor", PGFEATURES_CACHE=str(store), PGFEATURES_OFFLINE="1")
    for expected in (
        "servers run as",
        "Debian, Ubuntu",
        "Postgres.app",
        "Nix",
        f"root             {store}",
        "not asked: offline",
        f"{install.version} maven",
    ):
        assert " ".join(expected.split()) in " ".join(stdout.split()), expected


def test_doctor_tells_why_an_install_can_not_be_used(store, install):
    program = store / "installs" / install.bindir.parent.name / "bin" / "postgres"
    content = program.read_bytes()
    program.unlink()  # it is a second name of the shared one
    program.write_bytes(content)
    program.chmod(0o644)
    stdout, _ = pgfeatures("doctor", PGFEATURES_CACHE=str(store), PGFEATURES_OFFLINE="1")
    said = " ".join(stdout.split())
    assert f"can't be used: {install.version} from maven" in said
    assert "make it executable" in said


def test_doctor_asks_the_registries_themselves_and_says_why_they_do_not_answer(store, place):
    (place / "jgo.conf").write_text("[repositories]\nnowhere = http://127.0.0.1:1\n")
    unreachable = {
        "PIP_INDEX_URL": "http://127.0.0.1:1",
        "PIP_RETRIES": "0",
        "JGO_CONFIG_FILE": str(place / "jgo.conf"),
    }
    stdout, _ = pgfeatures("doctor", PGFEATURES_CACHE=str(store), **unreachable)
    said = " ".join(stdout.split())
    assert re.search(
        r"pypi could not be asked: 127\.0\.0\.1 refuses connections \(through pip [\d.]+\)", said
    )
    assert re.search(
        r"maven could not be asked: 127\.0\.0\.1 refuses connections \(through jgo [\d.]+\)", said
    )
    assert "pip config list" in said
    assert "jgo.conf" in said


def test_doctor_tells_of_a_path_without_a_server(store):
    stdout, _ = pgfeatures(
        "doctor", PGFEATURES_CACHE=str(store), PGFEATURES_OFFLINE="1", PGFEATURES_PATH="/nowhere", status=1
    )
    assert "PGFEATURES_PATH names /nowhere" in stdout


def test_clean_says_what_goes_and_how_much(store):
    stdout, _ = pgfeatures("clean", "--dry-run", PGFEATURES_CACHE=str(store))
    assert "would remove" in stdout
    assert len(list((store / "installs").iterdir())) == 1
    stdout, _ = pgfeatures("clean", "templates", PGFEATURES_CACHE=str(store))
    assert stdout == f"freed: 0.0 MB in {store}\n"
    stdout, _ = pgfeatures("clean", PGFEATURES_CACHE=str(store))
    assert stdout.splitlines()[-1].startswith("freed: 3")
    assert list((store / "installs").iterdir()) == []


def test_help_names_every_verb_and_loads_none():
    stdout, _ = pgfeatures("--help")
    for verb in ("install", "list", "doctor", "clean", "verify", "delta"):
        assert f"\n  {verb} " in stdout
    _, stderr = pgfeatures("instal", status=2)
    assert "instal" in stderr
