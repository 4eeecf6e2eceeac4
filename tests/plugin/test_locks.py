"""Other processes that have a lock of the store: a run says what it waits for, and does not wait for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.install import Resolver, Store

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

pytest_plugins = ["pytester"]

TEST_THAT_WAITS = """
import pytest_pgfeatures.install.store as store
store._SECONDS_OF_SILENCE, store._SECONDS_TO_CLEAN = 0.1, 0.5

def test_it(pg_connection): pass
"""


def test_a_run_says_past_capturing_what_it_waits_for(
    pytester: pytest.Pytester, reachable_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGFEATURES_PATH", str(Resolver().resolve("18").bindir.parent))
    monkeypatch.setenv("PGFEATURES_OFFLINE", "1")
    pytester.makepyfile(TEST_THAT_WAITS)
    store = Store.open(reachable_path)
    monkeypatch.setenv("PGFEATURES_CACHE", str(store.root))
    with store.unused("session"):
        ended = pytester.runpytest_subprocess("--pg=18")
    ended.stderr.fnmatch_lines(["*waiting for another process, which removes session*session.use*"])
    ended.stdout.fnmatch_lines(["*another process held the lock*session.use*"])
