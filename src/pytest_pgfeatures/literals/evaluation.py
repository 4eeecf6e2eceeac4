"""Numeric literals on a real server: many in one round trip, each in its own subtransaction.

Any text can only be read, whatever it contains:

1. Only digits, letters, ``_ . $ + -`` and blanks are sent as SQL, and only the first word may follow a blank.
   Without quotes, parentheses, commas and semicolons there is no function call, no second statement and no string;
   without a word after a word there is no ``FROM view`` and no ``INTO table``. Any other text isn't sent:
   :attr:`Evaluation.refused` says why.
2. The server evaluates the texts in a temporary function that is declared ``STABLE``. Statements in such a function
   can read but not write (https://www.postgresql.org/docs/current/xfunc-volatility.html). It sees no schema but
   ``pg_catalog``, so no user-defined ``+`` runs.

Texts for input functions (:func:`evaluate_input`) are sent as values, never as SQL.
"""

from __future__ import annotations

import contextlib
import itertools
import re
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import EvaluationError, LiteralError
from pytest_pgfeatures.literals.inputs import input_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from psycopg import Connection

    from pytest_pgfeatures.literals.oracle import Reading


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A server's answer for one text.

    Parameters:
        text: the text.
        type: the value's type, such as ``integer``; None for an error, or if there is no column.
        value: the value, as the server prints it.
        label: the column's name, if it has one.
        sqlstate: the error's SQLSTATE.
        message: the server's error message.
        refused: why the text was not sent; then all other fields except ``text`` are None.
    """

    text: str
    type: str | None = None
    value: str | None = None
    label: str | None = None
    sqlstate: str | None = None
    message: str | None = None
    refused: str | None = None

    def agrees(self, reading: Reading) -> bool:
        """Whether the server's answer equals the model's in type, value, label, SQLSTATE and message."""
        return (self.type, self.label, self.sqlstate, self.message) == (
            reading.type,
            reading.label,
            reading.sqlstate,
            reading.message,
        ) and (self.value == reading.shown or _same_value(self.value, reading))


def _same_value(printed: str | None, reading: Reading) -> bool:
    """Whether a printed value equals the model's; json prints numbers as written, floats depend on the release."""
    if printed is None:
        return False
    if reading.type == "json":
        return reading.value is None or Decimal(printed.strip()) == reading.value
    if reading.type == "double precision":
        return repr(float(printed)) == repr(reading.value)
    return False


_BLANK = r" \t\n\r\f"
_SIGN = r"0-9.$+\-"
_LETTER = r"A-Za-z_\x80-\U0010ffff"
_NO_LETTER = rf"[{_SIGN}{_BLANK}]*+"
_NO_NEW_WORD = rf"(?:[{_SIGN}{_LETTER}]++|[{_BLANK}]++(?![{_LETTER}]))*"
_SAFE = re.compile(_NO_LETTER + _NO_NEW_WORD)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def refusal(text: str, encoding: str = "UTF8") -> str | None:
    """Why a text is not sent to a server as a literal, or ``None`` if it is.

    Parameters:
        text: any text.
        encoding: the database's encoding, as ``server_encoding`` names it.
    """
    match = _SAFE.match(text)
    assert match is not None
    if match.end() < len(text):
        at = match.end()
        if text[at] in " \t\n\r\f":
            return f"a second word, at index {at}"
        return f"{text[at]!r} at index {at} is in no numeric literal"
    if _SURROGATE.search(text):
        return "half of a surrogate pair is no character"
    if encoding != "UTF8" and _NOT_ASCII.search(text):
        return f"the database's encoding is {encoding}, and only UTF8 takes every character"
    return None


def evaluate(connection: Connection[Any], texts: Sequence[str]) -> list[Evaluation]:
    """Evaluate texts as literals (``SELECT <text>``), in one round trip.

    Parameters:
        connection: a psycopg connection to a server, 9.3 or newer. Its session gets a temporary function.
        texts: any texts. A text that could be more than a literal isn't sent; see :attr:`Evaluation.refused`.

    Returns:
        One evaluation per text, in their order.

    Raises:
        EvaluationError: the server went away, or the session can't run statements.
    """
    refused = [refusal(text, _encoding(connection)) for text in texts]
    sent = [text for text, reason in zip(texts, refused, strict=True) if reason is None]
    rows = _run(connection, _LITERALS, [_PROBE, *sent])
    _, _, probe, _, _ = next(rows)
    assert probe is not None
    before, _, after = probe.partition(b"s.probe")
    cut = slice(len(before + b"s."), -len(after) or None)
    answers = iter([_evaluation(text, row, cut) for text, row in zip(sent, rows, strict=True)])
    return [
        next(answers) if reason is None else Evaluation(text, refused=reason)
        for text, reason in zip(texts, refused, strict=True)
    ]


def evaluate_input(connection: Connection[Any], texts: Sequence[str], type: str) -> list[Evaluation]:
    """Evaluate texts by a type's input function (``'<text>'::type``), in one round trip.

    Parameters:
        connection: a psycopg connection to a server, 9.3 or newer. Its session gets a temporary function.
        texts: any texts. They are sent as values, never as SQL.
        type: one of :data:`~pytest_pgfeatures.literals.inputs.INPUT_TYPES`, by any of its names.

    Returns:
        One evaluation per text, in their order, with the value as the type's output function prints it.

    Raises:
        LiteralError: the type is unknown.
        EvaluationError: the server went away, or the session can't run statements.
    """
    name = input_type(type)
    refused = [_unsendable(text, _encoding(connection)) for text in texts]
    sent = [text for text, reason in zip(texts, refused, strict=True) if reason is None]
    rows = _run(connection, _input_function(name), sent)
    answers = iter([_evaluation(text, row, slice(0)) for text, row in zip(sent, rows, strict=True)])
    return [
        next(answers) if reason is None else Evaluation(text, refused=reason)
        for text, reason in zip(texts, refused, strict=True)
    ]


def evaluate_expressions(connection: Connection[Any], texts: Sequence[str]) -> list[Evaluation]:
    """Evaluate expressions in one round trip, each in its own subtransaction.

    They run as they are, in a function whose statements can only read. What they call is not checked: give
    expressions that you trust.

    Parameters:
        connection: a psycopg connection to a server, 9.3 or newer. Its session gets a temporary function.
        texts: expressions, as they follow ``SELECT``.

    Returns:
        One evaluation per text, in their order, without labels.

    Raises:
        EvaluationError: the server went away, or the session can't run statements.
    """
    rows = _run(connection, _EXPRESSIONS, list(texts))
    return [_evaluation(text, row, slice(0)) for text, row in zip(texts, rows, strict=True)]


def in_batches(
    connection: Connection[Any], texts: Iterable[str], batch: int = 20_000
) -> Iterator[list[Evaluation]]:
    """Evaluate any number of literals, a batch per round trip.

    Parameters:
        connection: as for :func:`evaluate`.
        texts: the literals.
        batch: texts per round trip.

    Yields:
        The evaluations of each batch, in order.

    Raises:
        LiteralError: ``batch`` is less than 1.
        EvaluationError: the server went away. ``position`` is the index in ``texts`` of the first one without an
            answer; the batches yielded before are complete.
    """
    if batch < 1:
        raise LiteralError(f"a batch of {batch} literals", remedy="give a batch of 1 or more")
    return _batches(connection, texts, batch)


def _batches(connection: Connection[Any], texts: Iterable[str], batch: int) -> Iterator[list[Evaluation]]:
    position = 0
    left = iter(texts)
    while chunk := list(itertools.islice(left, batch)):
        try:
            yield evaluate(connection, chunk)
        except EvaluationError as error:
            raise EvaluationError(
                f"{error.problem} (in the batch of literals {position} to {position + len(chunk) - 1})",
                position=position,
                remedy=error.remedy,
                details=error.details,
            ) from error
        position += len(chunk)


# --- the functions in the server ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Function:
    """A temporary function from texts to rows: type, value, a message with the column's name, SQLSTATE, message.

    If a row has a value and no type, the value begins with the type and a bar.
    """

    name: str
    settings: str
    body: str
    variables: str = ""
    helper: str = ""


# How a literal is evaluated:
#
# 1. As the argument of a function that gives its type and its value. A column that is more than a name, a function
#    or a cast has no name (https://www.postgresql.org/docs/current/sql-select.html), so that this is all for a text
#    of digits. From 15 on letters can't follow a number at once, and this is all for them, too.
# 2. What is something else, or no argument, inside a subquery, which may give it a name. A column's name is not
#    within a function's reach (a record would have it, but every new name costs the session a row type for ever),
#    except through a message that quotes it: the one for a column outside of GROUP BY.
# 3. Where that fails, too, as the whole statement, since where the statement ends decides the message.
_LITERALS = _Function(
    "pgfeatures_literals",
    "SET search_path = pg_catalog, pg_temp SET client_min_messages = error",
    r"""
        IF given ~ nameless THEN
            BEGIN
                EXECUTE 'SELECT pg_temp.pgfeatures_typed(' || given || E'\n)' INTO shown;
            EXCEPTION WHEN OTHERS THEN
                NULL;
            END;
        END IF;
        IF shown IS NULL THEN
            BEGIN
                EXECUTE 'SELECT pg_temp.pgfeatures_typed(c) FROM (SELECT ' || given || E'\n) AS s(c)' INTO shown;
                BEGIN
                    EXECUTE 'SELECT s.* FROM (SELECT ' || given || E'\n) AS s HAVING true';
                EXCEPTION WHEN grouping_error THEN
                    naming := textsend(SQLERRM);
                END;
            EXCEPTION WHEN OTHERS THEN
                BEGIN
                    EXECUTE 'SELECT ' || given INTO shown;
                    shown := NULL;
                EXCEPTION WHEN OTHERS THEN
                    state := SQLSTATE;
                    problem := textsend(SQLERRM);
                END;
            END;
        END IF;
    """,
    variables="""
            nameless CONSTANT text := CASE WHEN current_setting('server_version_num')::integer >= 150000
                THEN '^[-+0-9. ]*[0-9.][0-9A-Za-z_]*([eE][-+][0-9]+)?$'
                ELSE '^[-+0-9. ]*([0-9.][eE][-+]?[0-9]+)?$' END;
    """,
    helper="""
        CREATE FUNCTION pg_temp.pgfeatures_typed(anyelement) RETURNS text LANGUAGE plpgsql STABLE
        AS 'BEGIN RETURN pg_typeof($1)::text || coalesce(''|'' || $1::text, ''''); END';
    """,
)
_PROBE = "1 AS probe"
"""Evaluated first: it shows where the name is in the message, whatever the server's language."""


_EXPRESSIONS = _Function(
    "pgfeatures_expressions",
    "SET extra_float_digits = 3",
    r"""
        BEGIN
            EXECUTE 'SELECT pg_typeof(c)::text, c::text FROM (SELECT ' || given || E'\n) AS s(c)'
                INTO kind, shown;
        EXCEPTION WHEN OTHERS THEN
            state := SQLSTATE;
            problem := textsend(SQLERRM);
        END;
    """,
)


def _input_function(type: str) -> _Function:
    return _Function(
        f"pgfeatures_input_{type.replace(' ', '_')}",
        "SET search_path = pg_catalog, pg_temp SET extra_float_digits = 3",
        f"""
        BEGIN
            shown := given::{type}::text;
            kind := '{type}';
        EXCEPTION WHEN OTHERS THEN
            state := SQLSTATE;
            problem := textsend(SQLERRM);
        END;
        """,
    )


# Messages travel as bytes: those of some releases end within a character. Made once per session: the check
# and the call go to the server together.
_CREATE = """
DO $do$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_proc WHERE proname = '{name}' AND pronamespace = pg_my_temp_schema()) THEN
        {helper}
        CREATE FUNCTION pg_temp.{name}(texts text[])
        RETURNS TABLE (kind text, shown text, naming bytea, state text, problem bytea)
        LANGUAGE plpgsql STABLE {settings}
        AS $function$
        DECLARE
            given text;{variables}
        BEGIN
            FOREACH given IN ARRAY texts LOOP
                kind := NULL; shown := NULL; naming := NULL; state := NULL; problem := NULL;
                {body}
                RETURN NEXT;
            END LOOP;
        END
        $function$;
    END IF;
END
$do$
"""
_PART = 2_000
"""Texts in each of the parts that a batch is sent in."""
_Row = tuple[str | None, str | None, bytes | None, str | None, bytes | None]


def _run(connection: Connection[Any], function: _Function, texts: list[str]) -> Iterator[_Row]:
    """The function's rows for these texts. They are sent in parts: the server evaluates one part while we read the
    rows of the part before."""
    import psycopg
    from psycopg.rows import tuple_row

    create = _CREATE.format(**asdict(function))
    call = f"SELECT * FROM pg_temp.{function.name}(%s::text[])"
    together = connection.pipeline() if psycopg.Pipeline.is_supported() else contextlib.nullcontext()
    parts = []
    try:
        with together:
            connection.execute(create.encode(), prepare=False)
            for start in range(0, len(texts), _PART):
                part = connection.cursor(row_factory=tuple_row)
                part.execute(call.encode(), (texts[start : start + _PART],), prepare=False)
                parts.append(part)
            for part in parts:
                yield from part.fetchall()
    except psycopg.Error as error:
        gone = connection.closed or connection.broken
        raise EvaluationError(
            f"the server {'went away' if gone else 'did not answer'} while it evaluated {len(texts)} texts: "
            f"{type(error).__name__}: {str(error).strip()}",
            position=0,
            remedy="see the server's log" if gone else "give a connection that can run statements",
        ) from error


def _evaluation(text: str, row: _Row, cut: slice) -> Evaluation:
    kind, shown, naming, state, problem = row
    if kind is None and shown is not None:
        kind, bar, shown = shown.partition("|")
        shown = shown if bar else None
    label = naming[cut].decode(errors="replace") if naming is not None else UNNAMED
    return Evaluation(
        text,
        type=kind,
        value=shown,
        label=None if label == UNNAMED else label,
        sqlstate=state,
        message=None if problem is None else problem.decode(errors="replace"),
    )


UNNAMED = "?column?"
"""The server's name for a column that has no name."""


def _encoding(connection: Connection[Any]) -> str:
    return connection.info.parameter_status("server_encoding") or "UTF8"


def _unsendable(text: str, encoding: str) -> str | None:
    """Why a text can't be a value of type ``text``, or ``None``."""
    if "\0" in text:
        return f"a NUL character, at index {text.index(chr(0))}"
    if _SURROGATE.search(text):
        return "half of a surrogate pair is no character"
    if encoding != "UTF8" and _NOT_ASCII.search(text):
        return f"the database's encoding is {encoding}, and only UTF8 takes every character"
    return None
