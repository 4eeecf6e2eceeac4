"""Behaviors that follow one pattern, as rows of a table."""

from __future__ import annotations

import sys
from types import FunctionType
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.behaviors.model import behavior
from pytest_pgfeatures.behaviors.release_note import major_of, read_keys
from pytest_pgfeatures.behaviors.since import read_since, without_and_with
from pytest_pgfeatures.errors import BehaviorError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import FrameType

    from pytest_pgfeatures.behaviors.lab import Lab

_UNSAID = object()


class Row:
    """One behavior: a statement, and what the server answers before and after a change.

    The answer is what :meth:`Lab.answer` gives: the value or the rows, ``None`` where a command succeeds, or the
    SQLSTATE of a refusal.

    >>> row = Row("14.9", "no-numeric-fac", "SELECT numeric_fac(5)", "120", "42883", remedy="Call factorial().")

    Parameters:
        release_note: the entry of the release notes, or several.
        name: the part of the behavior's id after the slash. The part before it is the major of ``since``.
        statement: the statement to run, or a function that takes the lab and returns its observation.
        before: the answer of servers without the change.
        after: the answer of the other servers.
        expect: in place of ``before`` and ``after``, the table that :func:`behavior` takes.
        since: the version that brought the change, or several, as :func:`behavior` takes them; by default that of
            the first release note.
        setup: statements to run before, which must succeed.
        fields: further ones of :func:`behavior`, such as ``title`` and ``remedy``.

    Raises:
        BehaviorError: neither or both of ``before``, ``after`` and ``expect`` are given.
    """

    def __init__(
        self,
        release_note: str | Iterable[str],
        name: str,
        statement: str | Callable[..., object],
        before: object = _UNSAID,
        after: object = _UNSAID,
        *,
        expect: Mapping[str, object] | None = None,
        since: str | Iterable[str] | None = None,
        setup: str = "",
        **fields: Any,
    ) -> None:
        __tracebackhide__ = True
        self.release_note = read_keys(name, release_note)
        self.since = since or major_of(self.release_note[0])
        brought, *backports = read_since(self.since)
        self.id = f"{brought.major}/{name}"
        self.statement = statement
        self.setup = setup
        self.fields = fields
        said = (before is not _UNSAID, after is not _UNSAID)
        if said != (expect is None,) * 2:
            raise BehaviorError(
                f"{self.id} has no expectation", remedy="give before and after, or expect={...}"
            )
        older, newer = without_and_with(brought, tuple(backports))
        self.expect = expect or {older: before, newer: after}
        frame = _module_frame(sys._getframe(1))
        self.file, self.line = frame.f_code.co_filename, frame.f_lineno

    def observe(self, lab: Lab) -> object:
        """Run the statement, and return the answer."""
        if self.setup:
            lab.sql(self.setup)
        return lab.answer(self.statement) if isinstance(self.statement, str) else self.statement(lab)


def rows(*table: Row, setup: str = "", **shared: Any) -> None:
    """Declare each row as a behavior of the calling module, where pytest collects it.

    Parameters:
        table: the rows, in the order in which they run.
        setup: the setup statements of rows that don't have their own.
        shared: fields of :func:`behavior` for rows that don't have their own. By default, ``isolation`` is
            ``transaction`` and ``kind`` is ``incompatibility``.

    Raises:
        BehaviorError: a row is wrong, or the module already has a function of its name.
    """
    __tracebackhide__ = True
    module = sys._getframe(1).f_globals
    for row in table:
        row.setup = row.setup or setup
        name = row.id.partition("/")[2].translate(str.maketrans("-/.", "___"))
        if name in module:
            raise BehaviorError(
                f"{row.id} can't be declared: the module has a {name} already",
                details=(f"{row.file}:{row.line}",),
                remedy="give the row another name",
            )
        fields: dict[str, Any] = {
            "isolation": "transaction",
            "kind": "incompatibility",
            "since": row.since,
            "expect": row.expect,
            "release_note": row.release_note,
            **shared,
            **row.fields,
        }
        module[name] = behavior(row.id, **fields)(_function(row, name, str(module["__name__"])))


def _function(row: Row, name: str, module: str) -> Callable[[Lab], object]:
    """A function whose source line is the row's, so that pytest and tracebacks show that line."""
    observe = lambda lab: row.observe(lab)  # noqa: E731 (one line, so that all of it moves to the row's)
    code = observe.__code__.replace(
        co_filename=row.file, co_firstlineno=row.line, co_name=name, co_qualname=name
    )
    function = FunctionType(code, observe.__globals__, name, None, observe.__closure__)
    function.__module__ = module
    return function


def _module_frame(frame: FrameType) -> FrameType:
    """The frame of the module's statement that led here, outside of the functions that create its rows."""
    while frame.f_code.co_name != "<module>" and frame.f_back is not None:
        frame = frame.f_back
    return frame
