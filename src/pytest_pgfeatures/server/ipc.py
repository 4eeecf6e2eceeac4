"""Remove what a killed server leaves in the kernel: System V shared memory and semaphores, POSIX shared memory.

This is for Linux. A server has one System V segment, which tells a second server that the data directory is in use.
The segment's header names another segment, the control segment, by its number (``dsm_handle``). From 9.4 on, that
lists the numbers of the server's dynamic shared memory: files ``/dev/shm/PostgreSQL.NUMBER``, or System V segments
whose key is the number. Up to 9.6, a server also has sets of System V semaphores. A server removes all of these
when it shuts down, even immediately. If the postmaster is killed, they remain until a server starts in the same
data directory again (src/backend/port/sysv_shmem.c and sysv_sema.c, src/backend/storage/ipc/dsm.c and dsm_impl.c).
No setting of any major version avoids the first segment.

We remove an object only if it certainly belongs to a dead server of the current user. Its first segment has
PostgreSQL's mark, the process that created it has ended, and no process has it attached. Everything else is found
from there, whichever of the server's processes created it. A server that is killed just after it has created an
object leaves it unmarked. We remove such an object only if it was created while that server ran. This module uses
only the standard library, because the supervisor's processes run it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import time

TYPE_CHECKING = False  # typing has it too, but takes longer to import than everything else here
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    Row = dict[str, int]

FILE = "/dev/shm/PostgreSQL."
"""The prefix of the names of dynamic shared memory files; a number follows."""
_SEGMENT_MAGIC = 679834894
"""``PGShmemMagic``: a server's segment begins with it, and with the postmaster's pid."""
_CONTROL_MAGIC = 0x9A503D32
"""``PG_DYNSHMEM_CONTROL_MAGIC``: the control segment begins with it."""
_CONTROL_NUMBER = 24
"""The offset of the control segment's number in the first segment; that is 0 if there is none (always in 9.3)."""
_HEADER = _CONTROL_NUMBER + 4
"""Bytes of the first segment that we read."""
_SEMAPHORES = 17
"""The number of semaphores in one of PostgreSQL's sets."""
_LAST = _SEMAPHORES - 1
_SEMAPHORE_MAGIC = 537
"""``PGSemaMagic``: the value of a set's last semaphore. Only its creator sets it, at first to one less."""
SECONDS_FOR_MARKS = 30.0
"""Time for a server to create and mark all objects, on a slow machine."""
_SECONDS_FOR_MARK = 1.0
"""Time for a running server to mark a set of semaphores that it has just created: two system calls."""
_SECONDS_OF_A_TICK = 0.1
"""The kernel's clock for these times may be up to a tick behind."""
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


def remove(
    libc: ctypes.CDLL | None, since: float, ended: Collection[int] = (), mapped: Iterable[str] = ()
) -> None:
    """Remove what the current user's servers that have ended left in the kernel.

    We may not know these servers' process ids, because initdb itself waits for those that it starts. Several
    processes may do this at once.

    Parameters:
        libc: the result of :func:`library`.
        since: ignore what was created before this time, in seconds since 1970.
        ended: processes that have ended. The system may have given their process ids to others.
        mapped: the files that these processes had mapped, from :func:`mapped_by`.
    """
    if libc is None:
        return
    servers = _unattached(lambda: _first_segments(libc, since, ended))
    numbers = {
        number for row in servers if (number := _number(_content(libc, row, _HEADER), _CONTROL_NUMBER))
    }
    files = {*mapped, *map(_file, numbers)}
    controls = _with_numbers(numbers, since)
    contents = [*map(_read, files), *(_content(libc, row, row["size"]) for row in controls)]
    listed = {number for content in contents for number in _listed(content)}
    # What names others goes last: another monitor that does not find it any more finds nothing left.
    for path in (*map(_file, listed), *files):
        with contextlib.suppress(OSError):
            os.unlink(path)
    for row in (*_with_numbers(listed, since), *controls, *servers):
        libc.shmctl(row["shmid"], _IPC_RMID, None)
    for row in _own_sets():
        if row["ctime"] >= _begin(since) and _is_marked(libc, row) and _has_ended(_setter(libc, row), ended):
            libc.semctl(row["semid"], 0, _IPC_RMID)


def _first_segments(libc: ctypes.CDLL, since: float, ended: Collection[int]) -> list[Row]:
    """The first segments of servers whose postmaster has ended."""
    found = []
    for row in _own_segments(since):
        if _has_ended(row["cpid"], ended):
            header = _content(libc, row, _HEADER)
            if _number(header, 0) == _SEGMENT_MAGIC and _number(header, 4) == row["cpid"]:
                found.append(row)
    return found


def _with_numbers(numbers: Collection[int], since: float) -> list[Row]:
    """A dead server's segments of dynamic shared memory.

    The processes that made them may still be there: they have detached everything, and wait for their parent.
    """
    keys = set(map(_key, numbers))
    return [row for row in _own_segments(since) if row["key"] in keys]


def _key(number: int) -> int:
    """The key of the System V segment for a number: as a signed number, without its sign (``dsm_impl_sysv``)."""
    return number if number < 1 << 31 else (1 << 32) - number


def _file(number: int) -> str:
    return f"{FILE}{number}"


def _listed(control: bytes) -> Iterator[int]:
    """The numbers that a control segment lists; none if the content is not a control segment's.

    It begins with its mark, the count of items, and their maximum. The items follow; each begins with its number.
    Its size depends on the version.
    """
    count, maximum = _number(control, 4), _number(control, 8)
    if _number(control, 0) == _CONTROL_MAGIC and maximum:
        size, begin = divmod(len(control), maximum)
        for item in range(min(count, maximum)):
            yield _number(control, begin + item * size)


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
    begin, end = _begin(since), since + seconds
    for row in _unattached(lambda: [each for each in _own_segments(since) if each["cpid"] == maker]):
        if row["ctime"] <= end:
            libc.shmctl(row["shmid"], _IPC_RMID, None)
    deadline = time.monotonic() + _SECONDS_FOR_MARK
    while (sets := unmarked_semaphores(libc, begin, end)) and time.monotonic() < deadline:
        time.sleep(0.01)
    for number in sets:
        libc.semctl(number, 0, _IPC_RMID)
    for path in _unrecorded_files(begin, end):
        with contextlib.suppress(OSError):
            os.unlink(path)


def unmarked_semaphores(libc: ctypes.CDLL, begin: float, end: float) -> list[int]:
    """Our sets of semaphores that were created between two times and have never been marked or used."""
    return [
        row["semid"]
        for row in _own_sets()
        if begin <= row["ctime"] <= end and not row["otime"] and not libc.semctl(row["semid"], _LAST, _GETPID)
    ]


def _unrecorded_files(begin: float, end: float) -> set[str]:
    """Our files of that time that nothing was written to and that no process has open or mapped.

    A server leaves such a file if it is killed before it has recorded the number of its control segment.
    """
    directory, prefix = os.path.split(FILE)
    files = set()
    for name in os.listdir(directory):
        path = f"{directory}/{name}"
        with contextlib.suppress(OSError):
            facts = os.lstat(path)
            if name.startswith(prefix) and facts.st_uid == os.geteuid() and begin <= facts.st_mtime <= end:
                files.add(path)
    files = set(filter(_is_empty, files))
    if files:  # who creates a file maps it before closing it, so look for open files first
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        files -= _opened_by(pids)
        files -= mapped_by(pids)
    # A running server's process may have written to its new file meanwhile, and ended: others need the file.
    return set(filter(_is_empty, files))


def _is_empty(path: str) -> bool:
    """Whether nothing was written to a file: what PostgreSQL keeps there begins with a mark."""
    try:
        with open(path, "rb") as file:
            return not _number(file.read(4), 0)
    except OSError:
        return False


def _opened_by(pids: Iterable[int]) -> set[str]:
    """The files of dynamic shared memory that these processes have open."""
    found = set()
    for pid in pids:
        with contextlib.suppress(OSError):
            for descriptor in os.listdir(f"/proc/{pid}/fd"):
                with contextlib.suppress(OSError):
                    found.add(os.readlink(f"/proc/{pid}/fd/{descriptor}"))
    return {path for path in found if path.startswith(FILE)}


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


def _begin(since: float) -> int:
    """The first second in which the kernel's clock may say that something was created since a time."""
    return int(since - _SECONDS_OF_A_TICK)


def _has_ended(pid: int, ended: Collection[int]) -> bool:
    return pid in ended or (pid > 0 and not os.path.exists(f"/proc/{pid}"))


def _table(name: str) -> Iterator[Row]:
    """The kernel's table of segments (``shm``) or of sets of semaphores (``sem``): one row for each."""
    try:
        with open(f"/proc/sysvipc/{name}") as file:
            titles, *rows = (line.split() for line in file)
    except (OSError, ValueError):
        return
    for row in rows:
        yield dict(zip(titles, map(int, row), strict=False))


def _own_segments(since: float) -> list[Row]:
    """Our segments that were created since a time."""
    return [row for row in _table("shm") if row["uid"] == os.geteuid() and row["ctime"] >= _begin(since)]


def _unattached(find: Callable[[], list[Row]]) -> list[Row]:
    """The segments that a function finds and no process has attached.

    The monitors of other servers, and servers that start, attach a segment for a moment to see whose it is. Wait
    for them.
    """
    deadline = time.monotonic() + _SECONDS_FOR_READERS
    while True:
        found = find()
        if not any(row["nattch"] for row in found) or time.monotonic() >= deadline:
            break
        time.sleep(0.005)
    return [row for row in found if not row["nattch"]]


def _content(libc: ctypes.CDLL, row: Row, size: int) -> bytes:
    """A segment's first bytes; empty if it can't be attached because it is being removed."""
    address = libc.shmat(row["shmid"], None, _SHM_RDONLY)
    if address in (None, ctypes.c_void_p(-1).value):
        return b""
    try:
        return ctypes.string_at(address, min(row["size"], size))
    finally:
        libc.shmdt(address)


def _read(path: str) -> bytes:
    """The content of a file if it is a control segment; else empty."""
    try:
        with open(path, "rb") as file:
            begin = file.read(4)
            return begin + file.read() if _number(begin, 0) == _CONTROL_MAGIC else b""
    except OSError:
        return b""


def _number(content: bytes, position: int) -> int:
    return int.from_bytes(content[position : position + 4], sys.byteorder)


def _own_sets() -> Iterator[Row]:
    """Our sets of semaphores that have the size of PostgreSQL's sets."""
    for row in _table("sem"):
        if row["nsems"] == _SEMAPHORES and row["uid"] == os.geteuid():
            yield row


def _is_marked(libc: ctypes.CDLL, row: Row) -> bool:
    return libc.semctl(row["semid"], _LAST, _GETVAL) in (_SEMAPHORE_MAGIC - 1, _SEMAPHORE_MAGIC)


def _setter(libc: ctypes.CDLL, row: Row) -> int:
    """The process that created a set: only that sets the last semaphore."""
    return int(libc.semctl(row["semid"], _LAST, _GETPID))
