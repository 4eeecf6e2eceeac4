"""Report sections for comparisons of servers that found differences."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

_MODULE = "pytest_pgfeatures.answers.compare"


def comparison_sections(excinfo: pytest.ExceptionInfo[BaseException] | None) -> Iterator[tuple[str, str]]:
    """Yield the findings of :func:`~pytest_pgfeatures.compare` in a failed assertion, as titles and texts.

    The rewritten ``assert compare(...)`` keeps the value of ``compare`` in the frame's local variables.
    """
    if excinfo is None or _MODULE not in sys.modules or not excinfo.errisinstance(AssertionError):
        return
    from pytest_pgfeatures.answers.compare import ServerAnswers

    shown: set[int] = set()
    for value in list(excinfo.traceback[-1].frame.f_locals.values()):
        if isinstance(value, ServerAnswers) and id(value) not in shown and not value:
            shown.add(id(value))
            yield "Answers that differ", str(value)
