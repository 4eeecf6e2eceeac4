"""Search for evidence outside of SQL: in pg_hba.conf, pg_ident.conf, calls of programs, and the text of scripts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

from pytest_pgfeatures.affects import AccessRule, Identity, ProgramCall, ScriptText
from pytest_pgfeatures.readiness.evidence.searched_inputs import SearchedInputs
from pytest_pgfeatures.readiness.evidence.subjects import Hit, compiled
from pytest_pgfeatures.readiness.model import AccessLine, Place, Word

_LONGEST_BUNDLE = 5
_TYPES = frozenset({"local", "host", "hostssl", "hostnossl", "hostgssenc", "hostnogssenc"})
_MASK = re.compile(r"[0-9.]+|[0-9a-fA-F:]+")


def of_access(kind: AccessRule, searched: SearchedInputs) -> Iterator[Hit]:
    """The lines of pg_hba.conf that match the evidence."""
    for line in searched.application.hba + searched.application.hba_in_scripts:
        fields = line.fields
        if len(fields) < 4 or fields[0].lower() not in _TYPES:
            continue
        at = 3 if fields[0].lower() == "local" else 4
        if at == 4 and "/" not in fields[3] and len(fields) > 5 and _MASK.fullmatch(fields[4]):
            at = 5
        method = fields[at] if at < len(fields) else ""
        values = (_names(line, 1), _names(line, 2), [method], fields[at + 1 :])
        patterns = (kind.database, kind.user, kind.method, kind.option)
        if all(one is None or _any_matches(one, some) for one, some in zip(patterns, values, strict=True)):
            yield Hit(kind, line.place, line.text)


def of_identity(kind: Identity, searched: SearchedInputs) -> Iterator[Hit]:
    """The lines of pg_ident.conf that match the evidence."""
    for line in searched.application.ident:
        if len(line.fields) > 2 and _any_matches(kind.database_user, _names(line, 2)):
            yield Hit(kind, line.place, line.text)


def _any_matches(pattern: str, values: Iterable[str]) -> bool:
    return any(map(compiled(pattern).fullmatch, values))


def _names(line: AccessLine, field: int) -> list[str]:
    """The names of a field; quoted ones with their quotes."""
    names = line.fields[field].split(",")
    return [f'"{name}"' for name in names] if line.quoted[field] else names


def of_program(kind: ProgramCall, searched: SearchedInputs) -> Iterator[Hit]:
    """The calls that match the evidence, each at its trigger word."""
    for call in searched.application.invocations:
        if call.program not in kind.names:
            continue
        arguments = call.words[1:]
        options = [word for word in arguments if _is_one_of(word.text, kind.option)]
        words = [word for word in arguments if kind.word and compiled(kind.word).fullmatch(word.text)]
        has_all = (options or not kind.option) and (words or not kind.word)
        if has_all and not any(_is_one_of(text, kind.unless) for text in _with_values(arguments)):
            yield Hit(kind, (*words, *options, call.words[0])[0].place, call.text)


def _with_values(arguments: Sequence[Word]) -> Iterator[str]:
    """The words of a call; each option also with the word after it as its value."""
    for word, following in itertools.zip_longest(arguments, arguments[1:]):
        yield word.text
        if following is not None and word.text.startswith("-"):
            yield f"{word.text}{'=' * word.text.startswith('--')}{following.text}"


def _is_one_of(text: str, options: tuple[str, ...]) -> bool:
    """Whether a word is one of the options: ``-x``, also in ``-vx`` and ``-xfile``, or ``--long`` with a value."""
    for option in options:
        if text == option or (option.startswith("--") and text.startswith(f"{option}=")):
            return True
        short = len(option) == 2 and option[0] == "-" and option[1] != "-"
        bundled = len(text) <= _LONGEST_BUNDLE and re.fullmatch(r"-[A-Za-z]+|-[AaeEHqStxX]*1[A-Za-z]*", text)
        if short and ((bundled and option[1] in text) or text.startswith(option)):
            return True
    return False


def of_text(kind: ScriptText, searched: SearchedInputs) -> Iterator[Hit]:
    """The places in scripts that match the evidence; if it says so, also places in values of settings."""
    pattern = compiled(kind.pattern)
    for script in searched.scripts:
        for number, line in enumerate(script.code, 1):
            if found := pattern.search(line):
                yield Hit(kind, Place(script.file, number, found.start() + 1), script.excerpt(number))
    for use in searched.application.settings if kind.settings else ():
        if pattern.search(use.value):
            yield Hit(kind, use.place, use.text)
