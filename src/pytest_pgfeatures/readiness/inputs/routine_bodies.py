"""Find SQL in the string literals of routines in PL/Python, PL/Perl, PL/Tcl and PL/v8."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ExtraMissingError
from pytest_pgfeatures.readiness.inputs.source_code import sql_in
from pytest_pgfeatures.readiness.statements.embedded import routine_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_pgfeatures.readiness.model import Problems, Query

_LANGUAGES = {
    "plpython3u": "python", "plpython2u": "python", "plpythonu": "python", "plperl": "perl", "plperlu": "perl",
    "pltcl": "tcl", "pltclu": "tcl", "plv8": "javascript",
}  # fmt: skip


def literals_in_routines(queries: Iterable[Query], problems: Problems) -> Iterator[Query]:
    """The string literals in bodies of routines that may be statements, with their lines in the user's file.

    Parameters:
        problems: gets a line for each language whose grammar is missing.
    """
    for query in queries:
        found = routine_of(query)
        if found is None or found.body is None or found.language not in _LANGUAGES:
            continue
        try:
            yield from sql_in(found.body, _LANGUAGES[found.language])
        except ExtraMissingError as error:
            problem = f"{query.file}: {error.problem}"
            if problem not in problems:
                problems.append(problem)
