"""The data directories of removed servers, kept for later servers from the same template."""

from __future__ import annotations

import itertools
import os
import threading
from typing import TYPE_CHECKING

from pytest_pgfeatures.server.removal import open_directory

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.server.run_directory import RunDirectory

_KEPT = 3
"""The number of directories kept: each takes some 30 MB, plus everything that its server has written."""


class LeftDirectories:
    """Keeps the directories that removed servers leave. The next server from the same template takes one instead of
    a new directory, as few of its files have changed (:mod:`pytest_pgfeatures.server.renewal`).

    Parameters:
        run: the run's directory, in which they are kept.
        templates: the directory of all templates. Only copies of these are kept, because nothing else stays
            the same.
    """

    def __init__(self, run: RunDirectory, templates: Path) -> None:
        self._run = run
        self._templates = templates
        self._kept: list[tuple[Path, Path]] = []
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def keep(self, source: Path | None, directory: Path) -> None:
        """Keep a directory made from ``source``, or remove it. In both cases it is no longer in its old place."""
        if source is None or source.parent != self._templates or self._run.is_full():
            self._run.remove(directory)
            return
        with self._lock:
            kept = self._run.path / f"left-{next(self._numbers)}"
            if not self._moved(directory, kept):
                self._run.remove(directory)
                return
            self._kept.append((source, kept))
            oldest = self._kept.pop(0)[1] if len(self._kept) > _KEPT else None
        if oldest is not None:
            self._run.remove(oldest)

    def take(self, source: Path, target: Path) -> bool:
        """Move the last kept directory of this source to ``target``. Return whether there was one."""
        with self._lock:
            for made_from, kept in reversed(self._kept):
                if made_from == source:
                    self._kept.remove((made_from, kept))
                    return self._moved(kept, target)
        return False

    def _moved(self, old: Path, new: Path) -> bool:
        """Move a directory within the run's directory. Return whether it existed and was not a link."""
        try:
            above = open_directory(old.parent.relative_to(self._run.path), self._run.descriptor)
            try:
                os.close(open_directory(old.name, above))
                os.rename(
                    old.name,
                    new.relative_to(self._run.path),
                    src_dir_fd=above,
                    dst_dir_fd=self._run.descriptor,
                )
            finally:
                os.close(above)
        except OSError:
            return False
        return True
