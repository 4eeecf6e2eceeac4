"""The pages of a server's file that the operating system has in memory: they show what is read ahead (Linux)."""

import contextlib
import ctypes
import mmap
import os
import tempfile
import time

PAGE = 8192
"""PostgreSQL's page size, in bytes."""


@contextlib.contextmanager
def tablespace_on_disk(lab):
    """A tablespace named ``on_disk``, in a directory that is not in memory, which data directories may be in."""
    with tempfile.TemporaryDirectory(dir="/var/tmp", ignore_cleanup_errors=True) as directory:
        owner = lab.cluster.datadir.stat()
        os.chown(directory, owner.st_uid, owner.st_gid)
        lab.sql(f"CREATE TABLESPACE on_disk LOCATION '{directory}'")
        yield


def evict(path, *, timeout=10.0):
    """Have the operating system forget a file that nothing writes to. It keeps a page that is in use just then.

    Raises:
        OSError: it does not, as where the file is in memory only.
    """
    deadline = time.monotonic() + timeout
    with path.open("rb") as file:
        while True:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            if not any(in_memory(path)):
                return
            if time.monotonic() >= deadline:
                raise OSError(f"{path} can't be put out of memory: /var/tmp is to be on a disk")
            time.sleep(0.05)


LOOKS = 25
"""The number of looks in a row that have to see no more pages: the processes that read may wait for a processor."""


def in_memory(path):
    """For each page of a file whether it is in memory: what mincore(2) tells."""
    unit = mmap.PAGESIZE
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE)
    present = (ctypes.c_ubyte * -(-len(mapped) // unit))()
    start = ctypes.addressof(ctypes.c_char.from_buffer(mapped))
    mincore = ctypes.CDLL(None, use_errno=True).mincore
    if mincore(ctypes.c_void_p(start), ctypes.c_size_t(len(mapped)), present) != 0:
        raise OSError(ctypes.get_errno(), f"mincore of {path}")
    per_page = max(1, PAGE // unit)
    return [all(bit & 1 for bit in present[at : at + per_page]) for at in range(0, len(present), per_page)]


def brought_in(path, *, timeout=30.0):
    """For each page of a file whether it was in memory at some look, once further looks bring no more.

    What was asked for may still be on its way, and the system may take a page out of memory again at any time.
    """
    deadline = time.monotonic() + timeout
    seen, quiet = in_memory(path), 0
    while quiet < LOOKS and time.monotonic() < deadline:
        time.sleep(0.05)
        now = [a or b for a, b in zip(seen, in_memory(path), strict=True)]
        quiet = quiet + 1 if now == seen else 0
        seen = now
    return seen
