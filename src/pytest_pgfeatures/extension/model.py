"""The stages of an extension, and the exceptions that end one."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage.

    Parameters:
        name: its name in options and reports.
        after: the stage that must pass before it.
        meaning: the condition to pass.
    """

    name: str
    after: str | None
    meaning: str


STAGES: tuple[Stage, ...] = (
    Stage("build", None, "make builds it with the server's headers"),
    Stage("install", "build", "make install puts its files into the private install"),
    Stage("create", "install", "CREATE EXTENSION at every version that can be installed"),
    Stage("update", "create", "every update path leads to what a fresh install of that version has"),
    Stage("regress", "create", "its own regression tests"),
    Stage("dump", "create", "dumped and restored into the same and the next major"),
    Stage("upgrade", "create", "pg_upgrade to each later major, then its regression tests again"),
    Stage("drop", "create", "DROP EXTENSION leaves nothing behind"),
)
STAGE_NAMES = tuple(stage.name for stage in STAGES)


@dataclass
class StageError(Exception):
    """A stage did not pass.

    Parameters:
        summary: in a line.
        details: the evidence.
        file: the file of a compiler's error, relative to the sources.
        line: in that file.
    """

    summary: str
    details: tuple[str, ...] = ()
    file: str | None = None
    line: int | None = None


@dataclass
class LackingError(Exception):
    """A stage can't run, because the install or the machine lacks something.

    Parameters:
        capability: what is lacking.
        summary: in a line.
    """

    capability: str
    summary: str
    details: tuple[str, ...] = field(default=())


class NothingToDoError(Exception):
    """A stage has nothing to do; the message says why."""
