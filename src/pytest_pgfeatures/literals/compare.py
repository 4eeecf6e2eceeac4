"""The smallest text on which servers, models of servers and parsers disagree.

A *reader* reads texts: a psycopg connection or a cluster, a version (its model), or a function, such as your own
parser.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import LiteralError
from pytest_pgfeatures.literals import numbers
from pytest_pgfeatures.literals.divergence import Answer, Divergence, DivergenceError, cut
from pytest_pgfeatures.literals.evaluation import Evaluation, evaluate, evaluate_expressions
from pytest_pgfeatures.literals.oracle import Reading, read_numeric
from pytest_pgfeatures.version import PgMajor, PgVersion

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hypothesis.strategies import SearchStrategy
    from psycopg import Connection

EXAMPLES = 1000
"""The default number of texts to try."""


Reader = Callable[[str], Answer | None]
"""From a text to the answer; None if the reader can't be asked about the text."""


def diverges(
    a: object, b: object, strategy: SearchStrategy[str] | None = None, *, examples: int = EXAMPLES
) -> Divergence | None:
    """Find the smallest numeric literal on which two readers disagree.

    Servers and models disagree if type, value or column label differ, if only one of them refuses the text, or if
    both refuse it with different SQLSTATEs. A parser of your own agrees with a server if its result equals the
    server's value, or if it raises an exception where the server reports an error.

    Parameters:
        a, b: a psycopg connection, a cluster, a version (its model), or a function that returns the number in a
            text and raises an exception if there is none. A function that knows types or labels returns a
            :class:`~pytest_pgfeatures.literals.oracle.Reading`.
        strategy: the texts to try. By default, numeric literals of the newest major and malformed ones. The
            smallest text found is reduced further by removing characters.
        examples: how many texts to try.

    Returns:
        The smallest divergence found, or None.

    Raises:
        VersionError, LiteralError: a reader can't read literals, or there is no model of its version.
        EvaluationError: a server went away.
    """
    if strategy is None:
        from pytest_pgfeatures.literals.strategies import (
            malformed_numeric_literals,
            numeric_literals,
            overflowing_numeric_literals,
        )

        strategy = numeric_literals() | overflowing_numeric_literals() | malformed_numeric_literals()
    with contextlib.ExitStack() as stack:
        readers = [_reader(source, stack, _ask_literal) for source in (a, b)]
        found = _smallest(readers, strategy, examples)
        return found if found is None else _reduced(found, readers)


def same_on(
    servers: Iterable[object], strategy: SearchStrategy[str], *, examples: int = EXAMPLES // 5
) -> None:
    """Check that expressions have the same type and value, or the same SQLSTATE, on all servers.

    Each expression runs in its own subtransaction, where statements can only read. The expressions are your own
    SQL: unlike literals, they are not checked for what else they do.

    Parameters:
        servers: clusters or psycopg connections, of any majors.
        strategy: SQL expressions, as they follow ``SELECT``.
        examples: how many to try.

    Raises:
        DivergenceError: they differ. The message shows the smallest such expression and every server's value;
            ``divergence`` has them.
        LiteralError: there are fewer than two servers.
        EvaluationError: a server went away.
    """
    with contextlib.ExitStack() as stack:
        readers = [_reader(source, stack, _ask_expression) for source in servers]
        if len(readers) < 2:
            raise LiteralError(f"{len(readers)} servers to compare", remedy="give two or more")
        found = _smallest(readers, strategy, examples)
    if found is not None:
        raise DivergenceError(
            f"servers disagree on {cut(found.text)}",
            divergence=found,
            details=tuple(str(answer) for answer in found.answers),
        )


def _smallest(readers: list[Reader], strategy: SearchStrategy[str], examples: int) -> Divergence | None:
    from hypothesis import HealthCheck, Phase, find, settings
    from hypothesis.errors import HypothesisWarning, NoSuchExample

    if examples < 1:
        raise LiteralError(f"{examples} examples to try", remedy="give 1 or more")
    smallest: list[Divergence] = []

    def disagree(text: str) -> bool:
        found = _divergence(text, readers)
        if found is not None:
            smallest[:] = [min((*smallest, found), key=lambda one: _simplicity(one.text))]
        return found is not None

    with contextlib.suppress(NoSuchExample), warnings.catch_warnings():
        # A text with as many digits as numeric accepts is large on purpose.
        warnings.simplefilter("ignore", HypothesisWarning)
        find(
            strategy,
            disagree,
            settings=settings(
                max_examples=examples,
                derandomize=True,
                database=None,
                deadline=None,
                phases=(Phase.generate, Phase.shrink),
                suppress_health_check=list(HealthCheck),
            ),
        )
    return smallest[0] if smallest else None


def _divergence(text: str, readers: list[Reader]) -> Divergence | None:
    """The divergence of the readers on a text; None if they agree, or if one of them can't read it."""
    answers = [reader(text) for reader in readers]
    known = [answer for answer in answers if answer is not None]
    if len(known) < len(readers) or not any(known[0].differs(other) for other in known[1:]):
        return None
    return Divergence(text, tuple(known))


def _reduced(found: Divergence, readers: list[Reader]) -> Divergence:
    """A divergence with fewer characters or smaller digits.

    Hypothesis shrinks within one form of a literal; this function also changes the form.
    """
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for text in _smaller(found.text):
            less = _divergence(text, readers)
            if less is not None:
                found, is_smaller = less, True
                break
    return found


def _simplicity(text: str) -> tuple[int, str]:
    """The order of texts: short ones first, lower case before upper case."""
    return len(text), text.swapcase()


def _smaller(text: str) -> Iterator[str]:
    for size in (len(text) // 2, len(text) // 4, 1):
        for at in range(0, len(text) if size and len(text) <= 1000 else 0, max(size, 1)):
            if size < len(text):
                yield text[:at] + text[at + size :]
    for at, character in enumerate(text[:100]):
        if character in "123456789":
            yield f"{text[:at]}{int(character) - 1}{text[at + 1 :]}"


# --- readers -----------------------------------------------------------------------------------------------


def _reader(
    source: object, stack: contextlib.ExitStack, ask: Callable[[Connection[Any], str], Evaluation]
) -> Reader:
    if hasattr(source, "connect") and not hasattr(source, "cursor"):
        source = stack.enter_context(source.connect())
    if hasattr(source, "cursor"):
        connection: Connection[Any] = source  # type: ignore[assignment]
        name = f"PostgreSQL {PgVersion.from_num(connection.info.server_version)}"
        return lambda text: _from_server(name, ask(connection, text))
    if isinstance(source, str | int | PgMajor | PgVersion):
        version = numbers.release(source)
        return lambda text: _from_model(f"PostgreSQL {version.major} (model)", text, version)
    if callable(source):
        parser = source
        return lambda text: _from_parser(parser, text)
    raise LiteralError(
        f"{source!r} reads no literals", remedy="give a connection, a cluster, a version or a function"
    )


def _ask_literal(connection: Connection[Any], text: str) -> Evaluation:
    return evaluate(connection, [text])[0]


def _ask_expression(connection: Connection[Any], text: str) -> Evaluation:
    return evaluate_expressions(connection, [text])[0]


def _from_server(name: str, found: Evaluation) -> Answer | None:
    if found.refused is not None:
        return None
    value = Decimal(found.value) if found.value is not None and found.type in _EXACT else found.value
    return Answer(name, value, found.type, found.label, found.sqlstate, found.message)


_EXACT = ("smallint", "integer", "bigint", "numeric", "oid")


def _from_model(name: str, text: str, version: PgVersion) -> Answer | None:
    try:
        found: Reading = read_numeric(text, version)
    except LiteralError:
        return None
    return Answer(name, _exact(found), found.type, found.label, found.sqlstate, found.message)


def _exact(found: Reading) -> object:
    whole = isinstance(found.value, int) and not isinstance(found.value, bool)
    return Decimal(found.value) if whole else found.value  # type: ignore[arg-type]


def _from_parser(parser: Callable[[str], object], text: str) -> Answer:
    name = getattr(parser, "__name__", type(parser).__name__)
    try:
        found = parser(text)
    except Exception as error:
        # A user's parser may raise any exception to reject a text; the exception is kept and shown.
        return Answer(name, error=f"{type(error).__name__}: {error}")
    if isinstance(found, Reading):
        return Answer(name, _exact(found), found.type, found.label, found.sqlstate, found.message)
    return Answer(name, found)
