"""A pytest plugin that keeps Python's garbage collector away from collected tests.

The atlas has thousands of tests, which stay until the end: the collector would look at them again and again.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without the garbage collector, which from then on leaves out what exists."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
