"""What a killed server leaves in the kernel: System V shared memory and semaphores, POSIX shared memory (Linux).

A server has one System V segment, by which a second server finds out that the data directory is in use. The
segment's header names another one, the control segment, which lists the server's dynamic shared memory (9.4 on):
files ``/dev/shm/PostgreSQL.NUMBER``, or System V segments with these keys. Up to 9.6 a server has sets of System V
semaphores, too. A server that shuts down, even immediately, removes them all. When the postmaster is killed nobody
does, unless a server starts in the same data directory again (src/backend/port/sysv_shmem.c and sysv_sema.c,
src/backend/storage/ipc/dsm.c). No setting of any major goes without the first segment.

Only what is certainly a dead server's is removed: it has PostgreSQL's mark, its maker is known to have ended,
nobody has it attached, and it belongs to the user that we are. A server that is killed in the instant between the
making and the marking leaves what has no mark: that is removed only if it was made while that server lived. Only
the standard library is used, as the supervisor's processes do this.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import time

TYPE_CHECKING = False  # as in typing, which would take longer to import than all the rest
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FILE = "/dev/shm/PostgreSQL."
"""What the names of files of dynamic shared memory begin with; a number follows."""
_SEGMENT_MAGIC = 679834894
"""``PGShmemMagic``: a server's segment begins with it, and with the postmaster's pid."""
_CONTROL_MAGIC = 0x9A503D32
"""``PG_DYNSHMEM_CONTROL_MAGIC``: the control segment begins with it."""
_CONTROL_NUMBER = 24
"""Where the first segment has the number of the control segment; 0 for none, as always in 9.3."""
_SEMAPHORES = 17
"""How many are in one of PostgreSQL's sets."""
_LAST = _SEMAPHORES - 1
_SEMAPHORE_MAGIC = 537
"""``PGSemaMagic``: the value of a set's last semaphore, which nobody sets but its maker, to one less at first."""
SECONDS_FOR_MARKS = 30.0
"""For a server to make and mark all, on a slow machine."""
_SECONDS_FOR_MARK = 1.0
"""For a living server to mark a set of semaphores that it has just made: two system calls later."""
_IPC_RMID, _SHM_RDONLY, _GETPID, _GETVAL = 0, 0o10000, 11, 12


def library() -> ctypes.CDLL | None:
    """The C library, with the functions that this module calls; None where all this is another way.

    To be asked for while modules can still be read: not after the change to another account.
    """
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p
    libc.shmat.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
    libc.shmdt.argtypes = (ctypes.c_void_p,)
    return libc


def remove(libc: ctypes.CDLL | None, makers: set[int], mapped: Iterable[str] = ()) -> None:
    """Remove what ended servers have left.

    Parameters:
        libc: as :func:`library` has it.
        makers: process ids of postmasters, and maybe of other processes, that have ended.
        mapped: files that these had mapped, as :func:`mapped_by` found them.
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
    for row in (*(row for row, _ in servers), *listed):
        libc.shmctl(row["shmid"], _IPC_RMID, None)
    for file in (*files, *_listed_files(lists)):
        with contextlib.suppress(OSError):
            os.unlink(file)
    for number in _semaphores(libc, makers):
        libc.semctl(number, 0, _IPC_RMID)


def dead_makers(libc: ctypes.CDLL | None, since: float) -> set[int]:
    """The makers of what is left in the kernel that have ended, and that nobody may have told us of: initdb waits
    itself for the servers that it starts.

    Parameters:
        libc: as :func:`library` has it.
        since: what was made before, in seconds since 1970, does not count.
    """
    if libc is None:
        return set()
    made = {row["cpid"] for row in _unattached() if row["ctime"] >= int(since)}
    made |= {libc.semctl(row["semid"], _LAST, _GETPID) for row in _own_sets() if row["ctime"] >= int(since)}
    return {pid for pid in made if pid > 0 and not os.path.exists(f"/proc/{pid}")}


def remove_unmarked(
    libc: ctypes.CDLL | None, maker: int, since: float, seconds: float = SECONDS_FOR_MARKS
) -> None:
    """Remove what a postmaster has left that was killed before it had marked it.

    Parameters:
        libc: as :func:`library` has it.
        maker: its process id.
        since: when it was started, in seconds since 1970.
        seconds: how long it may have taken to make and mark all.
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
    """The sets of ours that somebody has made then, and neither marked nor used."""
    return [
        row["semid"]
        for row in _own_sets()
        if begin <= row["ctime"] <= end and not row["otime"] and not libc.semctl(row["semid"], _LAST, _GETPID)
    ]


def _unrecorded_files(begin: float, end: float) -> set[str]:
    """The files of ours that were made then, that nothing was written to, and that no process has mapped: a server
    that was killed before it had named its control segment has left one."""
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
    time.sleep(0.01)  # whoever has just made one maps it next
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
    """What the kernel tells of all segments (``shm``) or sets of semaphores (``sem``): a row each."""
    try:
        with open(f"/proc/sysvipc/{name}") as file:
            titles, *rows = (line.split() for line in file)
    except (OSError, ValueError):
        return
    for row in rows:
        yield dict(zip(titles, map(int, row), strict=False))


def _segments(makers: set[int]) -> Iterator[dict[str, int]]:
    """The segments of ours that one of these processes has made, and that nobody has attached."""
    return (row for row in _unattached() if row["cpid"] in makers)


def _unattached() -> Iterator[dict[str, int]]:
    """The segments of ours that nobody has attached."""
    return (row for row in _table("shm") if row["uid"] == os.geteuid() and not row["nattch"])


def _content(libc: ctypes.CDLL, row: dict[str, int]) -> bytes:
    """What a segment holds, up to a megabyte; nothing if it is just being removed."""
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
    """A file's content if it is a control segment, else nothing."""
    try:
        with open(path, "rb") as file:
            begin = file.read(4)
            return begin + file.read() if _is_control(begin) else b""
    except OSError:
        return b""


def _number(content: bytes, position: int) -> int:
    return int.from_bytes(content[position : position + 4], sys.byteorder)


def _own_sets() -> Iterator[dict[str, int]]:
    """The sets of ours that are as large as PostgreSQL's."""
    for row in _table("sem"):
        if row["nsems"] == _SEMAPHORES and row["uid"] == os.geteuid():
            yield row


def _semaphores(libc: ctypes.CDLL, makers: set[int]) -> Iterator[int]:
    """The sets of ours that one of these processes has made."""
    for row in _own_sets():
        number = row["semid"]
        marked = libc.semctl(number, _LAST, _GETVAL) in (_SEMAPHORE_MAGIC - 1, _SEMAPHORE_MAGIC)
        if marked and libc.semctl(number, _LAST, _GETPID) in makers:
            yield number
