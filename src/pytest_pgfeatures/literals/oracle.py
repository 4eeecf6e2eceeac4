"""Numeric literals as a server of each major reads them, without a server.

>>> read_numeric("0x1F", 16).value
31
>>> read_numeric("0x1F", 14).label
'x1f'
>>> read_numeric("0x1F", 15).message
'trailing junk after numeric literal at or near "0x1F"'

The text is the part after ``SELECT``: literals with signs before and between them, or something close to that. The
model works in the server's three steps: the scanner cuts the text into tokens
(:mod:`~pytest_pgfeatures.literals.scanner`), the grammar of a select list accepts them or not, and only then are
values computed (:mod:`~pytest_pgfeatures.literals.numbers`). So a syntax error comes before an overflow.

Sources: "Lexical Structure" (https://www.postgresql.org/docs/current/sql-syntax-lexical.html), "SELECT"
(https://www.postgresql.org/docs/current/sql-select.html: the output name behind an expression, and when it needs
AS), and the release notes named below. Facts that none of them documents were measured on servers, and are
marked so.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import LiteralError
from pytest_pgfeatures.literals import keywords, numbers, scanner
from pytest_pgfeatures.literals.numbers import INT4, INT8, NumberError
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.literals.scanner import LiteralToken
    from pytest_pgfeatures.version import PgMajor, PgVersion

NAME_BYTES = 63
"""A longer name is cut (https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading a text: a value with its type, or an error.

    Parameters:
        type: ``integer``, ``bigint``, ``numeric`` or another type's name; None for an error, or if there is no
            column.
        value: exact; an ``int`` for integer types, a :class:`~decimal.Decimal` whose exponent is the display
            scale for ``numeric``, a ``float`` for ``double precision``.
        label: the column's name, if it has one: what an old server splits off the literal (``0x1F`` is ``0``
            named ``x1f`` up to 14), or a word after it.
        sqlstate: the error's SQLSTATE, such as ``42601``.
        message: the error's message, in English, without its position.
    """

    type: str | None = None
    value: int | bool | float | Decimal | None = None
    label: str | None = None
    sqlstate: str | None = None
    message: str | None = None

    @property
    def shown(self) -> str | None:
        """The value as the server prints it."""
        return numbers.shown(self.value)


def read_numeric(text: str, version: str | int | PgMajor | PgVersion) -> Reading:
    """The result of ``SELECT <text>`` on a server of this version.

    Parameters:
        text: a numeric literal, or something close to one.
        version: a major or a release, such as ``16`` or ``"9.6.24"``. A major stands for its
            newest release.

    Raises:
        VersionError: the version can't be read.
        LiteralError: there is no model of the version, or the text contains more than numbers, signs, a parameter
            and one label.
    """
    found = numbers.release(version)
    try:
        terms, label, test = _SelectList(text, found).read()
        if not terms:
            return Reading()
        kind, value = _compute(terms, found)
    except NumberError as error:
        return Reading(sqlstate=error.sqlstate, message=error.message)
    if test is not None:
        return Reading("boolean", test, label)
    return Reading(kind, value, label)


# --- the grammar -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Term:
    """A number with the signs before it, and the operator that joins it to the terms before."""

    operator: str
    signs: str
    number: LiteralToken
    fields: tuple[str, ...] = ()


EMPTY_SELECT_LIST = VersionSet(">=9.4")
"""Servers on which ``SELECT`` alone is a statement (https://www.postgresql.org/docs/release/9.4.0/)."""


LOOKS_AHEAD = VersionSet("<9.5")
"""Servers whose message about certain words shows the token behind them, too, because they had to look at it.
(Measured on 9.3.5 and 9.5.3.)"""
LOOKS_AHEAD_AT = ("nulls", "with")


class _SelectList:
    """Reads one column of a select list: terms, and perhaps a label."""

    def __init__(self, text: str, version: PgVersion) -> None:
        self.text = text
        self.version = version
        self.tokens: Iterator[LiteralToken] = scanner.tokens(text, version)
        self.token = next(self.tokens)
        self._check()

    def read(self) -> tuple[list[_Term], str | None, bool | None]:
        """The terms, the label, and the outcome of a postfix test for null.

        Raises:
            NumberError: 42601, there is a syntax error.
            LiteralError: the statement continues in a way that the model doesn't support.
        """
        if self.token.kind == "end":
            if self.version in EMPTY_SELECT_LIST:
                return [], None, None
            raise self._unexpected()
        terms = [self._term("+")]
        while self.token.kind == "sign":
            terms.append(self._term(self._take().text))
        test = None
        word = self._word()
        if word in keywords.TESTS:
            test = keywords.TESTS[word]
            self._take()
        label = self._label(of_sum=len(terms) > 1 and test is None)
        if test is not None and label is None and self.token.kind == "sign":
            raise self._beyond()
        if self.token.kind != "end":
            raise self._unexpected()
        return terms, label, test

    def _term(self, operator: str) -> _Term:
        signs = ""
        while self.token.kind == "sign":
            signs += self._take().text
        if self.token.kind == "word":
            if keywords.is_ever_key_word(_folded(self.token.text)):
                raise self._beyond()
        elif self.token.kind not in ("integer", "numeric", "parameter"):
            raise self._unexpected()
        first = self._take()
        return _Term(operator, signs, first, self._fields() if first.kind in ("word", "parameter") else ())

    def _fields(self) -> tuple[str, ...]:
        """The names behind dots, which a parameter or a name can have and a number can't: "Field Selection"
        (https://www.postgresql.org/docs/current/sql-expressions.html#FIELD-SELECTION)."""
        fields = []
        while self.token.text == ".":
            self._take()
            if self.token.kind != "word":
                raise self._unexpected()
            fields.append(_name(self._take().text))
        return tuple(fields)

    def _label(self, of_sum: bool) -> str | None:
        """The label behind the terms, if there is one.

        Parameters:
            of_sum: whether the word follows the last number of a sum.
        """
        word = self._word()
        if word is None:
            return None
        continuation = keywords.CONTINUATIONS.get(word)
        if continuation is not None and self.version in continuation.versions:
            taken = self._take()
            is_label = keywords.is_label(word, self.version) and not (of_sum and continuation.before_sum)
            if self.token.kind == "end" and is_label:
                return word
            if self.token.kind == "word" or (continuation.takes_expression and self.token.kind != "end"):
                raise self._beyond(taken)
            raise self._unexpected()
        if not keywords.is_label(word, self.version):
            raise self._unexpected()
        self._take()
        following = self._word()
        if following is not None:
            continuation = keywords.CONTINUATIONS.get(following)
            if continuation is not None and continuation.after_label:
                taken = self._take()
                if self.token.kind == "word" or (continuation.takes_expression and self.token.kind != "end"):
                    raise self._beyond(taken)
            raise self._unexpected()
        return word

    def _word(self) -> str | None:
        return _name(self.token.text) if self.token.kind == "word" else None

    def _take(self) -> LiteralToken:
        taken, self.token = self.token, next(self.tokens)
        self._check()
        return taken

    def _check(self) -> None:
        """Raise the scanner's error if the current token is one."""
        token = self.token
        if token.kind == "error":
            raise NumberError("42601", f'{token.message} at or near "{token.text}"')
        if token.kind == "parameter" and self.version in PARAMETER_LIMIT and not _fits_int(token.text):
            raise NumberError("42601", f'parameter number too large at or near "{token.text}"')

    def _unexpected(self) -> NumberError:
        if self.token.kind == "end":
            return NumberError("42601", "syntax error at end of input")
        shown = self.token.text
        if self.version in LOOKS_AHEAD and _folded(shown) in LOOKS_AHEAD_AT:
            shown = self.text[self.token.start : next(self.tokens).end]
        return NumberError("42601", f'syntax error at or near "{shown}"')

    def _beyond(self, token: LiteralToken | None = None) -> LiteralError:
        start = (token or self.token).text
        return LiteralError(
            f"{scanner.shortened(self.text)} is more than a numeric literal, from {start!r} on",
            remedy="give numbers, signs between them, and at most one label behind",
        )


def _folded(word: str) -> str:
    """A word as the server compares it: ASCII letters in lower case, others as they are. "Identifiers and Key
    Words" (https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS)."""
    return word.translate(_LOWER)


def _name(word: str) -> str:
    """A word as a name: folded, and cut to 63 bytes of UTF-8 between characters (the same chapter: NAMEDATALEN)."""
    return _folded(word).encode()[:NAME_BYTES].decode(errors="ignore")


_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)

# --- values ------------------------------------------------------------------------------------------------

PARAMETER_LIMIT = VersionSet(">=18")
"""Servers that refuse a parameter number past an int; older ones keep its low 32 bits. (No release note has it;
measured on 17.11 and 18.6.)"""

EXACT_SMALLEST_BIGINT = VersionSet("<11")
"""Servers that know the smallest bigint only when written with no leading zeros. (Measured on 10.23 and 11.22.)"""

_LADDER = ("integer", "bigint", "numeric")
_LIMITS = {"integer": INT4, "bigint": INT8}


def _compute(terms: list[_Term], version: PgVersion) -> tuple[str, int | Decimal]:
    """The value of the sum, and its type.

    Raises:
        NumberError: 22003 and others.
    """
    # A server first gives every constant its type, from left to right, and only then computes.
    constants = [_constant(term, version) for term in terms]
    kind, total = constants[0][0], _signed(*constants[0])
    for term, constant in zip(terms[1:], constants[1:], strict=True):
        kind = max(kind, constant[0], key=_LADDER.index)
        total = _joined(kind, total, term.operator, _signed(*constant))
    return kind, total


def _constant(term: _Term, version: PgVersion) -> tuple[str, int | Decimal, str]:
    """A number's type and value, and the signs that are left to compute.

    "Numeric Constants" (https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-CONSTANTS-NUMERIC):
    "any sign ... is not actually considered part of the constant, it is an operator".

    Minus signs right before a number are folded into it before it gets a type ("-2147483648 is integer"); a
    plus is an operator, and so is everything before it.
    """
    token = term.number
    if token.kind == "parameter":
        raise NumberError("42P02", f"there is no parameter ${_parameter_number(token.text)}")
    if token.kind == "word":
        names = (_name(token.text), *term.fields)
        if len(names) == 1:
            raise NumberError("42703", f'column "{names[0]}" does not exist')
        if len(names) <= 3:
            raise NumberError("42P01", f'missing FROM-clause entry for table "{names[-2]}"')
        raise LiteralError(f"{'.'.join(names)!r} is a name in a database, not a numeric literal")
    left = term.signs.rstrip("-")
    negative = (len(term.signs) - len(left)) % 2 == 1
    kind, value = _typed(token, negative, version)
    return kind, value, left


def _typed(token: LiteralToken, negative: bool, version: PgVersion) -> tuple[str, int | Decimal]:
    """``integer`` if the value fits, else ``bigint``, else ``numeric``: the same chapter, "Numeric Constants"."""
    text = f"-{token.text}" if negative else token.text
    digits = token.text.replace("_", "")
    value = numbers.whole(digits) if token.kind == "integer" else None
    if value is not None:
        value = -value if negative else value
        if value in INT4:
            return "integer", value
        written_oddly = value == INT8[0] and digits != str(-value) and version in EXACT_SMALLEST_BIGINT
        if value in INT8 and not written_oddly:
            return "bigint", value
    return "numeric", numbers.numeric(text, version)


def _signed(kind: str, value: int | Decimal, signs: str) -> int | Decimal:
    """A value after the operators before it, the nearest first."""
    for sign in reversed(signs):
        if sign == "-":
            value = _limited(kind, _EXACT.minus(value) if isinstance(value, Decimal) else -value)
    return value


_EXACT = Context(prec=4 * numbers.DIGITS_BEFORE_POINT)
"""Enough digits for a sum of any two numbers that ``numeric`` holds."""


def _joined(kind: str, one: int | Decimal, operator: str, other: int | Decimal) -> int | Decimal:
    """``one + other`` or ``one - other``, in the wider of their types."""
    if kind != "numeric":
        result: int | Decimal = int(one) + int(other) if operator == "+" else int(one) - int(other)
    else:
        compute = _EXACT.add if operator == "+" else _EXACT.subtract
        result = compute(Decimal(one), Decimal(other))
    return _limited(kind, result)


def _limited(kind: str, value: int | Decimal) -> int | Decimal:
    """A result as its type holds it ("Numeric Types", https://www.postgresql.org/docs/current/datatype-numeric.html).

    Raises:
        NumberError: 22003, it doesn't.
    """
    if isinstance(value, Decimal):
        return numbers.in_numeric(value)
    if value not in _LIMITS[kind]:
        raise NumberError("22003", f"{kind} out of range")
    return value


def _fits_int(parameter: str) -> bool:
    significant = parameter[1:].lstrip("0") or "0"
    return len(significant) <= 10 and int(significant) in INT4


def _parameter_number(text: str) -> int:
    """The number of a parameter as servers before 18 keep it: C's ``atol``, then the low 32 bits (measured)."""
    significant = text[1:].lstrip("0") or "0"
    number = min(int(significant), INT8[-1]) if len(significant) <= 20 else INT8[-1]
    return (number + 2**31) % 2**32 - 2**31
