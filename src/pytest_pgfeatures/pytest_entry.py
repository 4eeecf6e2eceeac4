"""The entry point that pytest loads: it lets Python import our modules, then registers the plugin.

pytest rewrites the ``assert`` statements of every module in a distribution that has a plugin. A rewritten module is
parsed and compiled anew wherever no bytecode may be written, as in most containers: the bytecode that pip made is
of no use for it. Only tests want it: the behaviors of the atlas, and experiments.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    import pytest

_PACKAGE = __name__.partition(".")[0]
_OURS = f"{_PACKAGE}."
_TESTS = (f"{_PACKAGE}.atlas", f"{_PACKAGE}.experiments")


class _AsWritten:
    """Finds our modules but tests before pytest's import hook does."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return Python's own spec for a module of ours; None for others, which the next finder looks for."""
        if name.startswith(_OURS) and not name.startswith(_TESTS):
            return PathFinder.find_spec(name, path, target)
        return None


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    """Register the plugin, whose options pytest then adds."""
    sys.meta_path.insert(0, _AsWritten)
    from pytest_pgfeatures import plugin

    if not pluginmanager.is_registered(plugin):
        pluginmanager.register(plugin, plugin.__name__)


def pytest_unconfigure() -> None:
    """Leave Python's import as it was. As this module's loader knows pytest, all that pytest has made would live
    until Python has cleared its modules one by one."""
    if _AsWritten in sys.meta_path:  # a test may have put other finders there
        sys.meta_path.remove(_AsWritten)
