"""Installs of the user's own store."""

from __future__ import annotations

import contextlib
import functools
from typing import TYPE_CHECKING

from pytest_pgfeatures.install import Resolver, Store, parse_requests

if TYPE_CHECKING:
    from pytest_pgfeatures.install import Install


@functools.cache
def install(version: str) -> Install:
    """Return the install for a version; it must exist."""
    (request,) = parse_requests(version)
    with contextlib.closing(Resolver(Store.open(), offline=True)) as resolver:
        return resolver.resolve(request)
