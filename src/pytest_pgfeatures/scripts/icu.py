"""Installs for statements that need a server built with ICU."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import CapabilityMissingError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pgfeatures.install import Install, Request, Resolver

_ICU = re.compile(r"\b(?:locale_)?provider\s*+(?:=\s*+)?'?icu\b|-x-icu\b", re.IGNORECASE)
"""Options that need a server built with ICU."""


def uses_icu(statements: Iterable[str]) -> bool:
    """Whether a statement names or creates a collation of ICU, or a database that ICU sorts."""
    return any(_ICU.search(sql) is not None for sql in statements)


def resolve(resolver: Resolver, request: Request, *, icu: bool) -> Install:
    """The install of a request: one with ICU if that is needed and there is one."""
    if icu:
        with contextlib.suppress(CapabilityMissingError):
            return resolver.resolve(request, ["icu"])
    return resolver.resolve(request)
