"""Give the relations of a stopped server their size, as sparse files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.errors import StatisticsError
from pytest_pgfeatures.server.account_files import extend_file, overwrite_file, read_beginning, write_file
from pytest_pgfeatures.statistics.btree import with_height
from pytest_pgfeatures.statistics.checksums import with_checksum
from pytest_pgfeatures.statistics.entries import all_visible
from pytest_pgfeatures.statistics.metapages import with_counts
from pytest_pgfeatures.statistics.model import BLOCK

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_pgfeatures.install import Account

SEGMENT = 1 << 30
"""The maximum length of a relation's file: https://www.postgresql.org/docs/current/storage-file-layout.html."""
_PROBE = 1 << 22


class Sized(NamedTuple):
    """A relation's file, and its future size.

    Parameters:
        path: the path of the first segment.
        size: the size of all segments, in bytes.
        height: the height of a B-tree; None for other relations.
        method: the access method of an index.
        counts: the counts on its first page; see :class:`~pytest_pgfeatures.statistics.model.RelationStatistics`.
        entries: the entries of a B-tree's leaf.
        visible: whether the first page of a table is marked as all-visible.
    """

    path: Path
    size: int
    height: int | None = None
    method: str = ""
    counts: tuple[int, ...] | None = None
    entries: tuple[bytes, ...] = ()
    visible: bool = False


def check_sparse(directory: Path, needed: int, account: Account | None) -> None:
    """Check that the disk supports sparse files.

    Parameters:
        directory: a directory of the account.
        needed: the size of all relations, in bytes.

    Raises:
        StatisticsError: the file system allocates holes.
    """
    probe = directory / "pgfeatures_sparse"
    try:
        extend_file(probe, _PROBE, account)
        sparse = has_holes(probe)
    finally:
        probe.unlink(missing_ok=True)
    if not sparse:
        raise no_sparse_files(directory, needed)


def has_holes(path: Path) -> bool:
    """Whether a file takes less room than its size."""
    facts = os.lstat(path)
    return facts.st_blocks * 512 < facts.st_size


def no_sparse_files(directory: Path, needed: int) -> StatisticsError:
    """The error for a disk that allocates holes."""
    return StatisticsError(
        f"{directory} is on a disk without sparse files: a transplant would take {shown(needed)} there",
        remedy="put the run directory on ext4, xfs, btrfs or tmpfs: PGFEATURES_RUN=DIR",
    )


def shown(size: int) -> str:
    """A size in bytes for people."""
    amount, unit = float(size), "bytes"
    for larger in ("kB", "MB", "GB", "TB"):
        if amount < 1024:
            break
        amount, unit = amount / 1024, larger
    return f"{amount:.0f} {unit}"


def resize(files: Sequence[Sized], account: Account | None, *, checksums: bool) -> None:
    """Extend the files of a stopped server.

    Parameters:
        checksums: whether its pages have checksums. A page of zeros needs none.

    Raises:
        StatisticsError: the disk has no room even for holes.
    """
    for sized in files:
        try:
            if sized.height is not None or sized.counts is not None:
                _begin(sized, account, checksums=checksums)
            if sized.visible:
                page = with_checksum(all_visible(), 0) if checksums else all_visible()
                write_file(sized.path.with_name(f"{sized.path.name}_vm"), page, account)
            _extend(sized, account)
        except OSError as error:
            raise StatisticsError(
                f"{sized.path} can't get its size, {shown(sized.size)}: {error.strerror}",
                remedy="see the limits of files (ulimit -f) and of the disk",
            ) from None


def _begin(sized: Sized, account: Account | None, *, checksums: bool) -> None:
    """Write the first pages of an index: the pages above the leaves of an empty B-tree, or counts."""
    metapage = read_beginning(sized.path, BLOCK, account)
    if sized.height is not None:
        pages = with_height(metapage, sized.height, sized.entries)
    elif sized.counts is not None and len(metapage) == BLOCK:
        pages = [with_counts(sized.method, metapage, sized.counts)]
    else:
        return
    if pages == [metapage] or len(pages) * BLOCK > sized.size:
        return
    written = [with_checksum(page, block) for block, page in enumerate(pages)] if checksums else pages
    overwrite_file(sized.path, b"".join(written), account)


def _extend(sized: Sized, account: Account | None) -> None:
    """Give each segment its size; all but the last one are full."""
    left, segment = sized.size, 0
    while left > 0:
        path = sized.path if segment == 0 else sized.path.with_name(f"{sized.path.name}.{segment}")
        extend_file(path, min(left, SEGMENT), account)
        left -= SEGMENT
        segment += 1
