"""What to say where a test failed because the server's build lacks an extension."""

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
    """A section for the report of a failed test, for each extension that it tried to create and the install lacks.

    Parameters:
        install: the server's.
        log: what the server logged during the test: a statement that fails is in it, whoever sent it.

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
