"""Texts of growing length, which must be read in linear time."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SHORT = 20_000
TIMES = 4
"""The factor between the lengths of the two texts."""
SLACK = 3
"""The accepted factor beyond TIMES: caches and allocation aren't linear either. Quadratic time is TIMES times as
long as linear time."""
NOTHING = 0.05
"""Seconds of processor time that are too short to judge."""
TRIES = 4


def problems(
    read: Callable[[str], object], family: Callable[[int], str], refusal: type[Exception]
) -> list[str]:
    """Report if reading a family's texts takes more than linear time, or raises an undocumented error.

    Parameters:
        read: the function to check.
        family: returns a text of about the given length.
        refusal: the documented error for a rejected text.
    """
    said = ""
    for _ in range(TRIES):  # other processes may slow one try down: report only if every try is slow
        try:
            short, long = (seconds(read, family(length), refusal) for length in (SHORT, SHORT * TIMES))
        except Exception as error:
            return [f"{type(error).__name__}: {error}"[:200]]
        if long <= max(short, NOTHING) * TIMES * SLACK:
            return []
        said = f"{short:.3f} s for {SHORT:,} characters, {long:.3f} s for {SHORT * TIMES:,}"
    return [said]


def seconds(read: Callable[[str], object], text: str, refusal: type[Exception]) -> float:
    """Return the processor time to read a text."""
    begun = time.process_time()
    with contextlib.suppress(refusal):
        read(text)
    return time.process_time() - begun
