"""Files written as a whole or not at all."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading

import pytest

from pytest_pgfeatures.files import sha256_of, write_atomically


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_reader_sees_all_of_the_old_or_all_of_the_new(tmp_path):
    path = tmp_path / "file"
    write_atomically(path, b"0" * 100_000)
    done = threading.Event()

    def write():
        for number in range(200):
            write_atomically(path, b"%d" % (number % 10) * 100_000)
        done.set()

    threads = [threading.Thread(target=write) for _ in range(3)]
    for thread in threads:
        thread.start()
    while not done.is_set():
        content = path.read_bytes()
        assert len(content) == 100_000
        assert len(set(content)) == 1
    for thread in threads:
        thread.join()
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


def test_a_new_file_has_what_the_umask_leaves_an_old_one_keeps_its_mode_and_one_can_be_given(tmp_path):
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "new", "x")
        write_atomically(tmp_path / "given", "x", mode=0o644)
        (tmp_path / "old").write_text("old")
        (tmp_path / "old").chmod(0o606)
        write_atomically(tmp_path / "old", "new")
    finally:
        os.umask(before)
    assert [mode(tmp_path / name) for name in ("new", "given", "old")] == [0o640, 0o644, 0o606]
    assert (tmp_path / "old").read_text() == "new"


@pytest.mark.root
def test_a_file_stays_its_owners(tmp_path):
    path = tmp_path / "theirs"
    path.write_text("old")
    os.chown(path, 65534, 65534)
    write_atomically(path, "new")
    assert (path.stat().st_uid, path.stat().st_gid, path.read_text()) == (65534, 65534, "new")


def test_a_link_stays_and_leads_to_the_new_content(tmp_path):
    (tmp_path / "file").write_text("old")
    (tmp_path / "link").symlink_to("file")
    write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "new"


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_atomically(pipe, "through")
    reader.join()
    assert read == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no /dev/stdout")  # noqa: PTH110
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1"])
def test_what_this_process_prints_to_is_not_replaced(tmp_path, name):
    program = (
        "import sys, pathlib; from pytest_pgfeatures.files import write_atomically\n"
        "print('before', flush=True); write_atomically(pathlib.Path(sys.argv[1]), 'report\\n'); print('after')"
    )
    with (tmp_path / "output").open("w") as output:
        subprocess.run([sys.executable, "-c", program, name], stdout=output, check=True)
    assert (tmp_path / "output").read_text() == "before\nreport\nafter\n"
    piped = subprocess.run([sys.executable, "-c", program, name], capture_output=True, text=True, check=True)
    assert piped.stdout == "before\nreport\nafter\n"


def test_what_can_not_be_written_keeps_its_content_and_leaves_nothing(tmp_path):
    (tmp_path / "file").write_text("old")
    with pytest.raises(TypeError):
        write_atomically(tmp_path / "file", 5)
    with pytest.raises(OSError, match="No such file"):
        write_atomically(tmp_path / "none" / "file", "new")
    with pytest.raises(IsADirectoryError):
        write_atomically(tmp_path, "new")
    assert [found.name for found in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "old"


def test_a_name_of_255_bytes_can_be_written(tmp_path):
    write_atomically(tmp_path / ("n" * 255), "x")
    assert (tmp_path / ("n" * 255)).read_text() == "x"


def test_sha256_is_the_files(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    # FIPS 180-2, appendix B.1
    assert sha256_of(path) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
