"""Texts that grow: whatever reads them has to take linear time."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SHORT = 20_000
TIMES = 4
"""How many times as long the other text is."""
SLACK = 3
"""How much more than TIMES as long it may take: caches and allocation aren't linear either. Quadratic time is TIMES
times as long as linear."""
NOTHING = 0.05
"""Seconds of processor time too short to tell anything."""
TRIES = 4


def problems(
    read: Callable[[str], object], family: Callable[[int], str], refusal: type[Exception]
) -> list[str]:
    """Why reading a family's texts takes more than linear time, or ends in another error than it should.

    Parameters:
        read: what is tried.
        family: from a length to a text of about that length.
        refusal: the documented error for a text that is refused.
    """
    said = ""
    for _ in range(TRIES):  # other processes disturb: only what is slow each time is slow
        try:
            short, long = (seconds(read, family(length), refusal) for length in (SHORT, SHORT * TIMES))
        except Exception as error:
            return [f"{type(error).__name__}: {error}"[:200]]
        if long <= max(short, NOTHING) * TIMES * SLACK:
            return []
        said = f"{short:.3f} s for {SHORT:,} characters, {long:.3f} s for {SHORT * TIMES:,}"
    return [said]


def seconds(read: Callable[[str], object], text: str, refusal: type[Exception]) -> float:
    """Processor time that reading a text takes."""
    begun = time.process_time()
    with contextlib.suppress(refusal):
        read(text)
    return time.process_time() - begun
