"""Find SQL in the string literals of routines in PL/Python, PL/Perl, PL/Tcl and PL/v8."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.inputs.source_code import sql_in
from pytest_pgfeatures.readiness.statements.embedded import foreign_body

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_pgfeatures.readiness.model import Query

_LEXERS = {
    "plpython3u": "python", "plpython2u": "python", "plpythonu": "python", "plperl": "perl", "plperlu": "perl",
    "pltcl": "tcl", "pltclu": "tcl", "plv8": "javascript",
}  # fmt: skip
"""Pygments' names of the languages."""


def literals_in_routines(queries: Iterable[Query]) -> Iterator[Query]:
    """The string literals in bodies of routines that may be statements, with their lines in the user's file."""
    for query in queries:
        found = foreign_body(query)
        if found is not None and found[0] in _LEXERS:
            yield from sql_in(found[1], _LEXERS[found[0]])
