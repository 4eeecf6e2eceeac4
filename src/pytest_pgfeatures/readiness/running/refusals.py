"""Messages of an upgrade program that failed: its own explanation, and the objects that it names."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

REMEDY = "change what the message names before the upgrade: on the old server, in a migration"
_ERROR = re.compile(r"\bERROR:\s++(?P<said>.*?)(?: at character \d++)?$")
_FATAL = re.compile(r'\bFATAL:\s++(?P<said>(?!the database system is |lock file "postmaster\.pid").*)$')
"""Neither of a connection that came too early, nor of the start by which pg_upgrade checks whether a server
is running."""
_CAUSES = 4
_OBJECTS = 10
"""The number of objects that a finding shows."""
_FILE = re.compile(r"^(?P<name>\S+\.(?:log|txt)):$")
_STEP = re.compile(
    r"(?:Checking|Performing|Finding|Creating|Dumping|Restoring|Analyzing|Deleting|Setting|Copying|Linking"
    r"|Swapping|Adding|Upgrading)\b.*|failed check: .*|-{5,}|\s*+$"
)
"""The lines that pg_upgrade prints for its steps."""
_END = "Failure, exiting"
_TYPES = "Data type checks failed:"
"""Since 17, all checks of types fail together (https://www.postgresql.org/docs/release/17.0/)."""
_HALFWAY = ("*failure*", "Consult the last")
_NEXT = re.compile(r"\s(?=Your installation )")
_LISTED = re.compile(
    r"(?:A list of [^.:;]*|[Oo]n each [^.:;]* listed) (?:is )?in the file:?(?: (?P<file>\S+))?"
)
_SENTENCE = re.compile(r"(?<=[^.][.;])\s++(?=[A-Z])")
_ADVICE = re.compile(r"(?:You|Consider|These user-defined|To |Either|Please|Use|Re-?create|Try|If the)\b")
OID = re.compile(r"^\(oid=(?P<oid>\d+)\) ")
_DATABASE = re.compile(r"^\s*+(?:In d|D)atabase: (?P<name>.*)$")


class Obstacle(NamedTuple):
    """The reason that an upgrade did not go on."""

    message: str
    remedy: str


def refusals(details: Sequence[str]) -> list[Obstacle]:
    """The reasons, one for each check that failed; empty if the output has no reason.

    Parameters:
        details: the command line, what the program printed, and the lines of its log files, each after its
            name.
    """
    files = _files(details)
    explanation = " ".join(line.strip() for line in _explanation(details)).strip()
    if explanation and not explanation.startswith(_HALFWAY):
        parts = (
            _NEXT.split(explanation.removeprefix(_TYPES).strip())
            if explanation.startswith(_TYPES)
            else [explanation]
        )
        return [_explained(part, files) for part in parts]
    for pattern in (_ERROR, _FATAL):
        said = [match["said"] for line in details if (match := pattern.search(line))]
        if said:
            return [Obstacle("; ".join(list(dict.fromkeys(said))[:_CAUSES]), REMEDY)]
    return []


def listed(details: Sequence[str]) -> list[str]:
    """The objects in the files that pg_upgrade wrote for failed checks, one line each.

    Parameters:
        details: as of :func:`refusals`.
    """
    files = _files(details).items()
    return [line for name, lines in files if name.endswith(".txt") for line in _objects(lines)]


def _explanation(details: Sequence[str]) -> list[str]:
    """The text that pg_upgrade printed after its last step."""
    printed = list(takewhile(lambda line: not _FILE.match(line), details[1:]))
    if _END not in (line.strip() for line in printed):
        return []
    end = max(at for at, line in enumerate(printed) if line.strip() == _END)
    steps = [at for at, line in enumerate(printed[:end]) if line.strip() and _STEP.fullmatch(line)]
    return printed[max(steps, default=-1) + 1 : end]


def _files(details: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in details[1:]:
        if match := _FILE.match(line):
            lines = found.setdefault(match["name"], [])
        else:
            lines.append(line)
    return found


def _explained(text: str, files: dict[str, list[str]]) -> Obstacle:
    objects: list[str] = []
    for match in _LISTED.finditer(text):
        file = (match["file"] or "").rpartition("/")[2]
        objects += (OID.sub("", line) for line in _objects(files.get(file, ())))
    sentences = _SENTENCE.split(_LISTED.sub("", text).strip())
    advice = [each for each in sentences if _ADVICE.match(each)]
    problem = " ".join(each for each in sentences if each not in advice) or text
    if objects:
        more = len(objects) - _OBJECTS
        problem += f" ({', '.join(objects[:_OBJECTS])}{f' and {more} more' if more > 0 else ''})"
    return Obstacle(problem, " ".join(advice).strip(" :;") or REMEDY)


def _objects(lines: Sequence[str]) -> list[str]:
    """The objects in a list that pg_upgrade wrote. It names the database before its objects."""
    return [line.strip() for line in lines if line.strip() and not _DATABASE.match(line)]
