"""The state that the readers of inputs share, and what they return beside the parts of a model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.readiness.model import Problems

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_pgfeatures.install import Resolver


class SearchedText(NamedTuple):
    """A text in which words are looked for: a script, or the meta-commands of a file for psql."""

    file: str
    text: str


@dataclass(slots=True)
class InputReading:
    """The state of reading all inputs, in the order of their table.

    Parameters:
        resolver: returns the resolver that finds an install with pg_restore.
        problems: gets the inputs that can't be read.
        timeout: the time that a live database has for each statement, in seconds.
        has_schema: whether an option gives the schema, so that the one of a live database is not needed.
        variables: psql's variables that the schema's files have set.
        loaded: the files of the schema and the data.
        already: the files with queries that were read, with those that they include.
        search_path: the setting of a live database's sessions; empty for the default.
    """

    resolver: Callable[[], Resolver]
    problems: Problems = field(default_factory=Problems)
    timeout: float = 60.0
    has_schema: bool = False
    variables: dict[str, str] = field(default_factory=dict)
    loaded: set[Path] = field(default_factory=set)
    already: set[Path] = field(default_factory=set)
    search_path: str = ""
