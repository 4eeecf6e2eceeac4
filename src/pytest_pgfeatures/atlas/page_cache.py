"""What of a server's file the operating system has in memory, by which one sees what is read ahead (Linux)."""

import contextlib
import ctypes
import mmap
import os
import tempfile
import time

PAGE = 8192
"""Of PostgreSQL, in bytes."""


@contextlib.contextmanager
def tablespace_on_disk(lab):
    """A tablespace named ``on_disk``, in a directory that is not in memory, which data directories may be in."""
    with tempfile.TemporaryDirectory(dir="/var/tmp", ignore_cleanup_errors=True) as directory:
        owner = lab.cluster.datadir.stat()
        os.chown(directory, owner.st_uid, owner.st_gid)
        lab.sql(f"CREATE TABLESPACE on_disk LOCATION '{directory}'")
        yield


def evict(path):
    """Have the operating system forget a file that nothing writes to.

    Raises:
        OSError: it does not, as where the file is in memory only.
    """
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    if any(in_memory(path)):
        raise OSError(f"{path} can't be put out of memory: /var/tmp is to be on a disk")


LOOKS = 5
"""How many looks in a row have to see the same: the processes that read may wait for a processor."""


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


def settled(path, *, timeout=30.0):
    """:func:`in_memory` once it stays the same, as what was asked for may still be on its way."""
    deadline = time.monotonic() + timeout
    looks = [in_memory(path)]
    while not (len(looks) > LOOKS and all(look == looks[-1] for look in looks[-LOOKS:])):
        if time.monotonic() > deadline:
            break
        time.sleep(0.25)
        looks.append(in_memory(path))
    return looks[-1]
