"""The operating system's page cache (Linux): it shows the pages of a server's file that were read ahead."""

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
    """Create a tablespace named ``on_disk`` in a directory on a disk. Data directories may be in memory."""
    with tempfile.TemporaryDirectory(dir="/var/tmp", ignore_cleanup_errors=True) as directory:
        owner = lab.cluster.datadir.stat()
        os.chown(directory, owner.st_uid, owner.st_gid)
        lab.sql(f"CREATE TABLESPACE on_disk LOCATION '{directory}'")
        yield


def evict(path, *, timeout=10.0):
    """Evict a file from the page cache. Nothing may write to it. The system keeps pages in use: they are tried
    again.

    Raises:
        OSError: pages remain after the timeout, as they do if the file is in memory only.
    """
    deadline = time.monotonic() + timeout
    with path.open("rb") as file:
        while True:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            if not any(in_memory(path)):
                return
            if time.monotonic() >= deadline:
                raise OSError(f"{path} stays in the page cache: /var/tmp must be on a disk")
            time.sleep(0.05)


LOOKS = 25
"""The number of consecutive looks without a new page that end the wait. Readers may be waiting for a processor."""


def in_memory(path):
    """Return for each page of a file whether it is in memory, by mincore(2)."""
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
    """Wait until no more pages of a file come into memory. Return for each page whether it was there at any look.

    Requested pages may still be on their way, and the system may evict a page at any time.
    """
    deadline = time.monotonic() + timeout
    seen, quiet = in_memory(path), 0
    while quiet < LOOKS and time.monotonic() < deadline:
        time.sleep(0.05)
        now = [a or b for a, b in zip(seen, in_memory(path), strict=True)]
        quiet = quiet + 1 if now == seen else 0
        seen = now
    return seen
