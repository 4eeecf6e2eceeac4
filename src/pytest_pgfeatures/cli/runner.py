"""Runs the atlas through pytest."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import shlex
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors import registry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pytest

    from pytest_pgfeatures.behaviors.model import Behavior

_DAYS_KEPT = 30
"""The number of days for which the last failures in a directory are remembered."""


class CommandName:
    """A pytest plugin that informs reports about the command that runs pytest.

    Parameters:
        name: as the user typed it, without arguments: ``pgfeatures verify``.
        arguments: the arguments that select tests: ``--pg=16``, ``-k``, ``sql``.
    """

    def __init__(self, name: str, arguments: Sequence[str]) -> None:
        self._name = name
        self._arguments = arguments
        self._config: pytest.Config | None = None

    def pytest_configure(self, config: pytest.Config) -> None:
        """Keep the command."""
        from pytest_pgfeatures.plugin.rerun import COMMAND, COMMAND_LINE

        self._config = config
        config.stash[COMMAND] = self._name
        config.stash[COMMAND_LINE] = " ".join((self._name, *map(shlex.quote, self._arguments)))

    def unwritten(self) -> list[tuple[Path, OSError]]:
        """The files that could not be written, with the reason."""
        from pytest_pgfeatures.plugin.results import UNWRITTEN

        return self._config.stash.get(UNWRITTEN, []) if self._config is not None else []


def chosen_workers() -> object:
    """Return a pytest plugin that chooses the number of pytest-xdist's workers for ``-n auto``: two for each
    processor, as a worker waits half of its time for servers to start, to stop and to catch up."""
    import pytest

    class Workers:
        @pytest.hookimpl(optionalhook=True, tryfirst=True)
        def pytest_xdist_auto_num_workers(self) -> int:
            available = getattr(os, "sched_getaffinity", None)
            return 2 * (len(available(0)) if available else os.cpu_count() or 1)

    return Workers()


def run_atlas(
    pg: str | None,
    arguments: Sequence[str] = (),
    *,
    behaviors: Sequence[Behavior] | None = None,
    plugins: Sequence[object] = (),
) -> int:
    """Run behaviors of the atlas in this process. Failures are remembered for ``--lf`` in the same directory.

    Parameters:
        pg: the versions, as ``--pg`` takes them; None for the default.
        arguments: further arguments for pytest.
        behaviors: the behaviors to run; None for all.
        plugins: objects with pytest hooks.

    Returns:
        the command's exit status: pytest's, with 2 for all from 2 on (interrupted, wrong usage, nothing to run).
    """
    import pytest

    from pytest_pgfeatures import atlas
    from pytest_pgfeatures.cli.main import EXIT_ERROR

    top = Path(str(atlas.__file__)).parent
    if behaviors is None:
        tests = [str(path) for path in registry.atlas_files()]
        cache = [f"--override-ini=cache_dir={_cache_directory()}"]
    else:
        tests = [f"{each.file}::{each.observe.__name__}" for each in behaviors]
        cache = ["-pno:cacheprovider"]
    with _own_plugins() as own:
        status = pytest.main(
            [
                # Ignore the configuration and the conftest.py of the project in which we are installed.
                f"--config-file={top / 'pytest.ini'}",
                f"--rootdir={top}",
                *cache,
                *own,
                *([f"--pg={pg}"] if pg else ()),
                *arguments,
                *tests,
            ],
            plugins=list(plugins),
        )
    return min(int(status), EXIT_ERROR)


@contextlib.contextmanager
def _own_plugins() -> Iterator[list[str]]:
    """A block in which pytest and its workers load only the plugins that the yielded arguments name: ours and
    pytest-xdist. Other installed plugins would take a fourth of the collection's time, and time in each test. So
    would pytest's own for messages of Python's logging, which no behavior writes."""
    import pytest

    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        yield [
            "-ppgfeatures",
            "-ppytest_pgfeatures.plugin.collecting",
            "-pno:logging",
            *(["-pxdist"] if importlib.util.find_spec("xdist") else ()),
        ]


def _cache_directory() -> Path:
    """Return the directory of pytest's cache for runs in the current directory. It is in the store, so that
    no cache is left in a project. Each directory has a cache of its own, so that runs elsewhere don't affect
    ``--lf`` here."""
    from pytest_pgfeatures.install import Store

    caches = Store.open().root / "verify"
    ours = caches / hashlib.sha256(os.fsencode(Path.cwd())).hexdigest()[:16]
    with contextlib.suppress(OSError):  # pytest reports what it can't write
        ours.mkdir(parents=True, exist_ok=True)
        os.utime(ours)
        for other in caches.iterdir():
            if other.is_dir() and other.stat().st_mtime < time.time() - _DAYS_KEPT * 24 * 60 * 60:
                shutil.rmtree(other, ignore_errors=True)
    return ours
