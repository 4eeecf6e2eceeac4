"""The exceptions that pytest-pgfeatures raises.

Each one says what was wrong and what to do about it, and pickles (errors cross process borders under
pytest-xdist). Catch :class:`PgFeaturesError` for all of them. One more is where its data is defined:
:class:`pytest_pgfeatures.literals.DivergenceError`. This module imports nothing of the project.
"""

from __future__ import annotations


class PgFeaturesError(Exception):
    """Base of all errors raised here.

    Parameters:
        problem: what was wrong, and where.
        remedy: what the user can do about it.
        details: lines of evidence (paths probed, server log), shown below the problem.
    """

    def __init__(self, problem: str, *, remedy: str | None = None, details: tuple[str, ...] = ()) -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy
        self.details = tuple(details)

    def __str__(self) -> str:
        lines = [self.problem, *(f"    {line}" for line in self.details)]
        if self.remedy:
            lines.append(f"what to do: {self.remedy}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), dict(self.__dict__))


def _rebuild(kind: type[PgFeaturesError], state: dict[str, object]) -> PgFeaturesError:
    error = kind.__new__(kind)
    Exception.__init__(error, state["problem"])
    error.__dict__.update(state)
    return error


class VersionError(PgFeaturesError):
    """A version, a set of versions or a ``--pg`` value can't be read, or nothing is in it."""


# --- where servers come from -------------------------------------------------------------------------------


class InstallError(PgFeaturesError):
    """An install can't be had or can't be used."""


class InstallNotFoundError(InstallError):
    """No source has an install of the version with the capabilities asked for."""


class CapabilityMissingError(InstallNotFoundError):
    """Installs of the version exist, but none has the capability.

    ``capability`` is the name of the missing one.
    """

    capability: str

    def __init__(
        self, problem: str, *, capability: str, remedy: str | None = None, details: tuple[str, ...] = ()
    ) -> None:
        super().__init__(problem, remedy=remedy, details=details)
        self.capability = capability


class UnusableInstallError(InstallError):
    """The install's programs can't be run on this host, such as for want of a shared library."""


class DownloadError(InstallError):
    """A package client could not fetch an archive."""


class ArchiveError(InstallError):
    """An archive is damaged, is not what the lock file recorded, or holds something unsafe."""


class StoreError(InstallError):
    """The cache directory can't be used: read-only, full, or not reachable by the server's user."""


# --- running clusters --------------------------------------------------------------------------------------


class ServerError(PgFeaturesError):
    """A cluster could not be made, started, stopped or reached."""


class ServerStartError(ServerError):
    """The server did not start; ``details`` has its command line and the last lines of its log."""


class WaitTimeoutError(ServerError):
    """A condition did not come true before its deadline."""


class ScriptError(PgFeaturesError):
    """A script or dump can't be loaded.

    ``file`` is its name, ``line`` where it fails, counted from 1, and ``sqlstate`` the code of the server's error;
    None where the file as a whole is meant, or the server was not asked.
    """

    file: str
    line: int | None
    sqlstate: str | None

    def __init__(
        self,
        problem: str,
        *,
        file: str,
        line: int | None = None,
        sqlstate: str | None = None,
        remedy: str | None = None,
        details: tuple[str, ...] = (),
    ) -> None:
        super().__init__(f"{file}:{line}: {problem}" if line else problem, remedy=remedy, details=details)
        self.file = file
        self.line = line
        self.sqlstate = sqlstate


# --- plans -------------------------------------------------------------------------------------------------


class PlanError(PgFeaturesError):
    """Base of the errors about plans."""


class PlanParseError(PlanError):
    """A text isn't EXPLAIN output. ``line`` is the line that shows it, counted from 1."""

    line: int

    def __init__(
        self, problem: str, *, line: int, remedy: str | None = None, details: tuple[str, ...] = ()
    ) -> None:
        super().__init__(f"line {line}: {problem}", remedy=remedy, details=details)
        self.line = line


class PlanOptionError(PlanError):
    """The server doesn't have an option of EXPLAIN, or not in this combination."""


class PlanSelectorError(PlanError):
    """A selector has a syntax error in ``column``, counted from 1; ``details`` point at it."""

    column: int

    def __init__(self, problem: str, *, selector: str, column: int, remedy: str | None = None) -> None:
        super().__init__(
            f"selector, column {column}: {problem}",
            remedy=remedy,
            details=(selector, " " * (column - 1) + "^"),
        )
        self.column = column


class PlanNodeError(PlanError):
    """A plan doesn't have exactly one of what was asked for: a node, a root, a summary."""


# --- behaviors ---------------------------------------------------------------------------------------------


class BehaviorError(PgFeaturesError):
    """A behavior is declared wrongly: its id, its expectations, what it returns."""


class LabError(PgFeaturesError):
    """A statement on which an observation relies was refused by the server.

    ``sqlstate`` is the error's code; None if the connection was lost.
    """

    sqlstate: str | None

    def __init__(
        self,
        problem: str,
        *,
        sqlstate: str | None = None,
        remedy: str | None = None,
        details: tuple[str, ...] = (),
    ) -> None:
        super().__init__(problem, remedy=remedy, details=details)
        self.sqlstate = sqlstate


# --- extras of the package ---------------------------------------------------------------------------------


class ExtraMissingError(PgFeaturesError, ImportError):
    """Something was asked for that needs one of the package's extras, which is not installed."""

    def __init__(self, what: str, library: str, extra: str) -> None:
        super().__init__(f"{what} needs {library}: pip install 'pytest-pgfeatures[{extra}]'")


# --- literals ----------------------------------------------------------------------------------------------


class LiteralError(PgFeaturesError):
    """A batch of literals could not be evaluated, or a model was asked for something it has not."""


class EvaluationError(LiteralError):
    """A server did not answer for a batch of texts: it is gone, or its session is in no state to.

    ``position`` is the index of the first text without an answer.
    """

    position: int

    def __init__(
        self, problem: str, *, position: int, remedy: str | None = None, details: tuple[str, ...] = ()
    ) -> None:
        super().__init__(problem, remedy=remedy, details=details)
        self.position = position
