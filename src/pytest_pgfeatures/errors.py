"""The errors that users of pytest-pgfeatures meet.

Each error states the problem and the remedy, and can be pickled, since errors cross processes under pytest-xdist.
Catch :class:`PgFeaturesError` to catch all of them. One more is defined beside its data:
:class:`pytest_pgfeatures.literals.DivergenceError`. Exceptions that never leave a package are defined there.
This module imports no other module of the project.
"""

from __future__ import annotations


class PgFeaturesError(Exception):
    """Base class of all errors that pytest-pgfeatures raises.

    Parameters:
        problem: the cause of the error, and its location.
        remedy: what the user can do to fix it.
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
    """A version, a set of versions or a ``--pg`` value can't be parsed, or is empty."""


# --- where servers come from -------------------------------------------------------------------------------


class InstallError(PgFeaturesError):
    """An install is not available, or can't be used."""


class InstallNotFoundError(InstallError):
    """No source has an install of the version with the capabilities asked for.

    ``not_asked`` names the registries that could not be asked, with the reason, one line each: they may have one.
    """

    not_asked: tuple[str, ...] = ()


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
    """The install's programs can't run on this host, for example because a shared library is missing."""


class DownloadError(InstallError):
    """A package client could not fetch an archive."""


class UnreachableError(DownloadError):
    """A registry could not be asked: a proxy, a certificate or the network is in the way."""


class ArchiveError(InstallError):
    """An archive is damaged, does not match the lock file, or has unsafe content."""


class StoreError(InstallError):
    """The cache directory can't be used: read-only, full, or not reachable by the server's user."""


# --- running clusters --------------------------------------------------------------------------------------


class ServerError(PgFeaturesError):
    """A cluster could not be created, started, stopped or reached."""


class ServerStartError(ServerError):
    """The server did not start; ``details`` has its command line and the last lines of its log."""


class WaitTimeoutError(ServerError):
    """A condition was not met before its deadline."""


class StartTimeoutError(WaitTimeoutError):
    """A server did not accept connections before the deadline of its start."""


class ScriptError(PgFeaturesError):
    """A script or dump can't be loaded.

    ``file`` is the file's name, ``line`` the line of the error, counted from 1, and ``sqlstate`` the code of the
    server's error. ``line`` is None if the error is about the whole file; ``sqlstate`` is None if the server
    was not asked.
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


class StatisticsError(PgFeaturesError):
    """Statistics can't be exported, read from a file, or transplanted."""


# --- plans -------------------------------------------------------------------------------------------------


class PlanError(PgFeaturesError):
    """Base class of errors about plans."""


class PlanParseError(PlanError):
    """A text isn't EXPLAIN output. ``line`` is the line that shows this, counted from 1."""

    line: int

    def __init__(
        self, problem: str, *, line: int, remedy: str | None = None, details: tuple[str, ...] = ()
    ) -> None:
        super().__init__(f"line {line}: {problem}", remedy=remedy, details=details)
        self.line = line


class PlanOptionError(PlanError):
    """The server doesn't support an option of EXPLAIN, or this combination of options."""


class PlanSelectorError(PlanError):
    """A selector has a syntax error in ``column``, counted from 1; ``details`` point to the place."""

    column: int

    def __init__(self, problem: str, *, selector: str, column: int, remedy: str | None = None) -> None:
        super().__init__(
            f"selector, column {column}: {problem}",
            remedy=remedy,
            details=(selector, " " * (column - 1) + "^"),
        )
        self.column = column


class AbsentRelationWarning(UserWarning):
    """A selector names a relation that the database of the plan does not have, so that it can match nothing."""


class PlanNodeError(PlanError):
    """A plan doesn't have exactly one of the requested item: a node, a root, a summary."""


# --- behaviors ---------------------------------------------------------------------------------------------


class BehaviorError(PgFeaturesError):
    """A behavior's declaration is invalid: its id, its expectations, or its return value."""


class LabError(PgFeaturesError):
    """The server rejected a statement on which an observation relies.

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


# --- experiments -------------------------------------------------------------------------------------------


class ExperimentError(PgFeaturesError):
    """An experiment's declaration is wrong, its requirements are not available, or its work failed."""


# --- extras of the package ---------------------------------------------------------------------------------


class ExtraMissingError(PgFeaturesError, ImportError):
    """A feature needs one of the package's extras, which is not installed."""

    def __init__(self, what: str, library: str, extra: str) -> None:
        super().__init__(f"{what} needs {library}: pip install 'pytest-pgfeatures[{extra}]'")


# --- literals ----------------------------------------------------------------------------------------------


class LiteralError(PgFeaturesError):
    """A batch of literals could not be evaluated, or a model does not have the requested data."""


class EvaluationError(LiteralError):
    """A server did not answer for a batch of texts: it is gone, or its session can't answer.

    ``position`` is the index of the first text without an answer.
    """

    position: int

    def __init__(
        self, problem: str, *, position: int, remedy: str | None = None, details: tuple[str, ...] = ()
    ) -> None:
        super().__init__(problem, remedy=remedy, details=details)
        self.position = position
