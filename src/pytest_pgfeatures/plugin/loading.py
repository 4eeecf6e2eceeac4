"""Registers the modules for runs with servers when the first test asks for one: other runs don't pay for them."""

from __future__ import annotations

from importlib import import_module

import pytest

_PACKAGE = __name__.rpartition(".")[0]
_WITH_SERVERS = (
    "session",
    "ahead",
    "environment",
    "client_path",
    "behaviors",
    "experiments",
    "incidents",
    "matrix",
    "reports",
    "results",
    "suites",
)
"""The modules whose hooks only matter to runs with servers, in the order in which they are registered."""
_LOADED = pytest.StashKey[bool]()


def is_loaded(config: pytest.Config) -> bool:
    """Return whether the modules are registered."""
    return _LOADED in config.stash


def load_all(config: pytest.Config) -> None:
    """Register the modules for runs with servers, unless they are registered."""
    if is_loaded(config):
        return
    config.stash[_LOADED] = True
    for name in _WITH_SERVERS:
        module = import_module(f"{_PACKAGE}.{name}")
        config.pluginmanager.register(module, module.__name__)
