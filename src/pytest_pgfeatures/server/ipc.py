"""Remove what a killed server leaves in the kernel: System V shared memory and semaphores, POSIX shared memory.

This is for Linux. A server has one System V segment, which tells a second server that the data directory is in use.
The segment's header names another segment, the control segment. From 9.4 on, that lists the server's dynamic shared
memory: files ``/dev/shm/PostgreSQL.NUMBER``, or System V segments with these keys. Up to 9.6, a server also has
sets of System V semaphores. A server removes all of these when it shuts down, even immediately. If the postmaster
is killed, they remain until a server starts in the same data directory again (src/backend/port/sysv_shmem.c and
sysv_sema.c, src/backend/storage/ipc/dsm.c). No setting of any major version avoids the first segment.

We remove an object only if it certainly belongs to a dead server: it has PostgreSQL's mark, the process that
created it has ended, no process has it attached, and its owner is the current user. A server that is killed just
after it has created an object leaves it unmarked. We remove such an object only if it was created while that server
ran. This module uses only the standard library, because the supervisor's processes run it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import time

TYPE_CHECKING = False  # typing has it too, but takes longer to import than everything else here
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FILE = "/dev/shm/PostgreSQL."
"""The prefix of the names of dynamic shared memory files; a number follows."""
_SEGMENT_MAGIC = 679834894
"""``PGShmemMagic``: a server's segment begins with it, and with the postmaster's pid."""
_CONTROL_MAGIC = 0x9A503D32
"""``PG_DYNSHMEM_CONTROL_MAGIC``: the control segment begins with it."""
_CONTROL_NUMBER = 24
"""The offset of the control segment's number in the first segment; that is 0 if there is none (always in 9.3)."""
_SEMAPHORES = 17
"""The number of semaphores in one of PostgreSQL's sets."""
_LAST = _SEMAPHORES - 1
_SEMAPHORE_MAGIC = 537
"""``PGSemaMagic``: the value of a set's last semaphore. Only its creator sets it, at first to one less."""
SECONDS_FOR_MARKS = 30.0
"""Time for a server to create and mark all objects, on a slow machine."""
_SECONDS_FOR_MARK = 1.0
"""Time for a running server to mark a set of semaphores that it has just created: two system calls."""
_SECONDS_FOR_READERS = 5.0
"""Time for others to detach a dead server's segment, which they attach only to read whose it is."""
_IPC_RMID, _SHM_RDONLY, _GETPID, _GETVAL = 0, 0o10000, 11, 12


def library() -> ctypes.CDLL | None:
    """The C library with the functions that this module calls; None on systems other than Linux.

    Call this before the change to another account, while modules can still be read.
    """
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p
    libc.shmat.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
    libc.shmdt.argtypes = (ctypes.c_void_p,)
    return libc


def remove(libc: ctypes.CDLL | None, makers: set[int], mapped: Iterable[str] = ()) -> None:
    """Remove what servers that have ended left in the kernel.

    Parameters:
        libc: the result of :func:`library`.
        makers: process ids of postmasters that have ended; ids of other ended processes may be among them.
        mapped: the files that these processes had mapped, from :func:`mapped_by`.
    """
    if libc is None:
        return
    made = [(row, _content(libc, row)) for row in _segments(makers)]
    servers = [
        (row, content)
        for row, content in made
        if _number(content, 0) == _SEGMENT_MAGIC and _number(content, 4) in makers
    ]
    files = {*mapped, *(f"{FILE}{_number(content, _CONTROL_NUMBER)}" for _, content in servers)}
    lists = [*map(_read_control, files), *(content for _, content in made if _is_control(content))]
    listed = [
        row
        for row, content in made
        if _is_control(content) or any(_lists(each, row["key"] % (1 << 32)) for each in lists)
    ]
    # What names the others goes last: another monitor that does not find it any more finds nothing left.
    for file in (*_listed_files(lists), *files):
        with contextlib.suppress(OSError):
            os.unlink(file)
    for row in (*listed, *(row for row, _ in servers)):
        libc.shmctl(row["shmid"], _IPC_RMID, None)
    _segments(makers)  # one that was attached in the meantime is gone when it is detached
    for number in _semaphores(libc, makers):
        libc.semctl(number, 0, _IPC_RMID)


def dead_makers(libc: ctypes.CDLL | None, since: float) -> set[int]:
    """The ended processes that have created what is left in the kernel.

    We may not know their process ids otherwise, because initdb itself waits for the servers that it starts.

    Parameters:
        libc: the result of :func:`library`.
        since: ignore what was created before this time, in seconds since 1970.
    """
    if libc is None:
        return set()
    made = {row["cpid"] for row in _own_segments() if row["ctime"] >= int(since) and not row["nattch"]}
    made |= {libc.semctl(row["semid"], _LAST, _GETPID) for row in _own_sets() if row["ctime"] >= int(since)}
    return {pid for pid in made if pid > 0 and not os.path.exists(f"/proc/{pid}")}


def remove_unmarked(
    libc: ctypes.CDLL | None, maker: int, since: float, seconds: float = SECONDS_FOR_MARKS
) -> None:
    """Remove the unmarked objects of a postmaster that was killed before it could mark them.

    Parameters:
        libc: the result of :func:`library`.
        maker: the postmaster's process id.
        since: when it was started, in seconds since 1970.
        seconds: how long it may have taken to create and mark all objects.
    """
    if libc is None:
        return
    begin, end = int(since), since + seconds
    for row in _segments({maker}):
        if begin <= row["ctime"] <= end:
            libc.shmctl(row["shmid"], _IPC_RMID, None)
    deadline = time.monotonic() + _SECONDS_FOR_MARK
    while (sets := _unmarked_semaphores(libc, begin, end)) and time.monotonic() < deadline:
        time.sleep(0.01)
    for number in sets:
        libc.semctl(number, 0, _IPC_RMID)
    for path in _unrecorded_files(begin, end):
        with contextlib.suppress(OSError):
            os.unlink(path)


def _unmarked_semaphores(libc: ctypes.CDLL, begin: float, end: float) -> list[int]:
    """Our sets of semaphores that were created between two times and have never been marked or used."""
    return [
        row["semid"]
        for row in _own_sets()
        if begin <= row["ctime"] <= end and not row["otime"] and not libc.semctl(row["semid"], _LAST, _GETPID)
    ]


def _unrecorded_files(begin: float, end: float) -> set[str]:
    """Our files of that time that nothing was written to and that no process has mapped.

    A server leaves such a file if it is killed before it has recorded the number of its control segment.
    """
    directory, prefix = os.path.split(FILE)
    made = set()
    for name in os.listdir(directory):
        path = f"{directory}/{name}"
        with contextlib.suppress(OSError):
            facts = os.lstat(path)
            if name.startswith(prefix) and facts.st_uid == os.geteuid() and begin <= facts.st_mtime <= end:
                with open(path, "rb") as file:
                    if not _number(file.read(4), 0):
                        made.add(path)
    if not made:
        return made
    time.sleep(0.01)  # a process that has just created a file maps it next
    return made - mapped_by(int(name) for name in os.listdir("/proc") if name.isdigit())


def mapped_by(pids: Iterable[int]) -> set[str]:
    """The files of dynamic shared memory that these processes have mapped."""
    found: set[str] = set()
    for pid in pids:
        try:
            with open(f"/proc/{pid}/maps") as maps:
                paths = [line.split(maxsplit=5)[-1].strip() for line in maps if FILE in line]
        except OSError:
            continue
        found.update(path for path in paths if path.startswith(FILE))
    return found


def _listed_files(lists: list[bytes]) -> Iterator[str]:
    """The files of dynamic shared memory that control segments list."""
    if any(lists):
        directory, prefix = os.path.split(FILE)
        for name in os.listdir(directory):
            number = name.removeprefix(prefix)
            if number != name and number.isdigit() and any(_lists(each, int(number)) for each in lists):
                yield f"{directory}/{name}"


def _lists(control: bytes, number: int) -> bool:
    return 0 < number < 1 << 32 and number.to_bytes(4, sys.byteorder) in control


def _table(name: str) -> Iterator[dict[str, int]]:
    """The kernel's table of segments (``shm``) or of sets of semaphores (``sem``): one row for each."""
    try:
        with open(f"/proc/sysvipc/{name}") as file:
            titles, *rows = (line.split() for line in file)
    except (OSError, ValueError):
        return
    for row in rows:
        yield dict(zip(titles, map(int, row), strict=False))


def _segments(makers: set[int]) -> list[dict[str, int]]:
    """Our segments that one of these processes has created and that no process has attached.

    The monitors of other servers, and servers that start, attach a segment for a moment to see whose it is. Wait
    for them.
    """
    deadline = time.monotonic() + _SECONDS_FOR_READERS
    while True:
        made = [row for row in _own_segments() if row["cpid"] in makers]
        if not any(row["nattch"] for row in made) or time.monotonic() >= deadline:
            return [row for row in made if not row["nattch"]]
        time.sleep(0.005)


def _own_segments() -> Iterator[dict[str, int]]:
    return (row for row in _table("shm") if row["uid"] == os.geteuid())


def _content(libc: ctypes.CDLL, row: dict[str, int]) -> bytes:
    """The content of a segment, up to a megabyte; empty if it can't be attached because it is being removed."""
    address = libc.shmat(row["shmid"], None, _SHM_RDONLY)
    if address in (None, ctypes.c_void_p(-1).value):
        return b""
    try:
        return ctypes.string_at(address, min(row["size"], 1 << 20))
    finally:
        libc.shmdt(address)


def _is_control(content: bytes) -> bool:
    return _number(content, 0) == _CONTROL_MAGIC


def _read_control(path: str) -> bytes:
    """The content of a file if it is a control segment; else empty."""
    try:
        with open(path, "rb") as file:
            begin = file.read(4)
            return begin + file.read() if _is_control(begin) else b""
    except OSError:
        return b""


def _number(content: bytes, position: int) -> int:
    return int.from_bytes(content[position : position + 4], sys.byteorder)


def _own_sets() -> Iterator[dict[str, int]]:
    """Our sets of semaphores that have the size of PostgreSQL's sets."""
    for row in _table("sem"):
        if row["nsems"] == _SEMAPHORES and row["uid"] == os.geteuid():
            yield row


def _semaphores(libc: ctypes.CDLL, makers: set[int]) -> Iterator[int]:
    """Our sets of semaphores that one of these processes has created."""
    for row in _own_sets():
        number = row["semid"]
        marked = libc.semctl(number, _LAST, _GETVAL) in (_SEMAPHORE_MAGIC - 1, _SEMAPHORE_MAGIC)
        if marked and libc.semctl(number, _LAST, _GETPID) in makers:
            yield number
