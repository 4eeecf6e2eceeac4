"""Check that a run that can't work reports the problem and the remedy, without a traceback."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torture.forked import Forked
    from torture.place import Place

_RAW = re.compile(
    r"Traceback \(most recent call last\)|INTERNALERROR|see what it printed|^E   +\w*Error:.*", re.M
)
_REMEDY = "what to do: "
_SHOWN = 600


def problems_of(where: Place, run: Forked, *, full: bool = False, may_pass: bool = True) -> list[str]:
    """Return the problems with a run's exit status and output.

    Parameters:
        full: whether a full disk is the only acceptable reason to fail.
        may_pass: whether the run may also succeed.
    """
    try:
        status = run.wait()
    except TimeoutError as error:
        return [str(error)]
    output = where.output
    if status == 0:
        return [] if may_pass else ["it passed"]
    if raw := _RAW.search(output):
        return [f"it ended with status {status}, and printed {raw[0]!r}: {output[-_SHOWN:]}"]
    if _REMEDY not in output or (full and " is full" not in output):
        return [f"it ended with status {status}, and printed no remedy: {output[-_SHOWN:]}"]
    return []
