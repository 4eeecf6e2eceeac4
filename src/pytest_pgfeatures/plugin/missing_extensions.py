"""Explains failures caused by an extension that the server's build lacks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.install import Install

_CREATE = re.compile(
    r"\bCREATE\s+EXTENSION\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:\"(?P<quoted>(?:[^\"]|\"\")+)\"|(?P<plain>\w+))",
    re.IGNORECASE,
)


def missing_extensions(install: Install, log: str) -> Iterator[tuple[str, str]]:
    """Yield a report section for each extension that a failed test tried to create and the install lacks.

    Parameters:
        install: the server's install.
        log: the server's log during the test; it contains the failed statements of all clients.

    Yields:
        a title, and a text with the remedy.
    """
    named = {match["plain"].lower() if match["plain"] else match["quoted"] for match in _CREATE.finditer(log)}
    for name in sorted(named):
        if not install.has(f"contrib:{name}"):
            yield (
                f"Extension {name}",
                f"{install} lacks the extension {name}: it is not there, or this host can't load it.\n"
                f"what to do: take an install that has it, for the whole suite with --pg-needs {name} "
                f"(pg_needs in the configuration file), for this test with "
                f'@pytest.mark.pg(needs=["contrib:{name}"])',
            )
