"""PostgreSQL's own regression tests, split into statements: a source of queries of every kind.

They are downloaded on request and never kept in the project: from apt's source packages if this machine runs
Debian, or from unpacked sources that the caller names.
"""

from __future__ import annotations

import re
import subprocess
import tarfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAJORS = ("13", "15", "17", "18")
"""The majors with a source package in some suite of Debian."""
SUITES = ("bullseye", "bookworm", "trixie", "sid")
_WANTED = re.compile(
    r"[^/]+/(src/test/regress|contrib/\w+)/(sql|data|input|\w+schedule|Makefile)(/.*)?"
).fullmatch


def fetch(place: Path, majors: tuple[str, ...] = MAJORS) -> list[Path]:
    """Unpack the regression tests of each major's newest release below ``place``, by this machine's apt.

    Raises:
        subprocess.CalledProcessError: apt could not fetch them.
    """
    place.mkdir(parents=True, exist_ok=True)
    found = sorted(place.glob("postgresql-*/src/test/regress"))
    missing = [major for major in majors if not any(f"postgresql-{major}" in str(path) for path in found)]
    if missing:
        apt = _apt(place)
        subprocess.run(["apt-get", *apt, "-q", "update"], check=True, stdout=subprocess.DEVNULL)
        names = [f"postgresql-{major}" for major in missing]
        subprocess.run(
            ["apt-get", *apt, "-q", "source", "--download-only", *names],
            check=True,
            cwd=place,
            stdout=subprocess.DEVNULL,
        )
        for archive in place.glob("*.orig.tar.*"):
            with tarfile.open(archive) as tar:
                # Python 3.11.2 has no filters yet
                tar.extraction_filter = getattr(tarfile, "data_filter", None)
                tar.extractall(place, [member for member in tar if _WANTED(member.name)])
            archive.unlink()
    return sorted(path.parents[2] for path in place.glob("*/src/test/regress"))


def _apt(place: Path) -> list[str]:
    """Options that let apt find source packages at its usual repository, with all of its files in ``place``."""
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME)", "Created-By: Packages"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    uri = next(line.split()[0] for line in listed if line.split()[1] in SUITES)
    for name in ("lists/partial", "cache/archives/partial"):
        (place / name).mkdir(parents=True, exist_ok=True)
    sources = place / "sources.list"
    sources.write_text("".join(f"deb-src {uri} {suite} main\n" for suite in SUITES))
    return [
        f"-oDir::Etc::SourceList={sources.absolute()}",
        "-oDir::Etc::SourceParts=/dev/null",
        f"-oDir::State::Lists={(place / 'lists').absolute()}",
        f"-oDir::Cache={(place / 'cache').absolute()}",
        "-oAcquire::Languages=none",
        "-oAPT::Sandbox::User=root",
    ]


@dataclass(frozen=True, slots=True)
class Suite:
    """Test files that share one database, in their order."""

    name: str
    root: Path
    """The directory of their data."""
    files: tuple[Path, ...]


def suites(source: Path) -> Iterator[Suite]:
    """Return the suites in an unpacked source: the server's own, then each extension's."""
    regress = source / "src/test/regress"
    schedule = (regress / "parallel_schedule").read_text()
    names = [name for line in re.findall(r"^test:(.*)$", schedule, re.MULTILINE) for name in line.split()]
    yield Suite("regress", regress, _files(regress, names))
    for makefile in sorted(source.glob("contrib/*/Makefile")):
        text = makefile.read_text().replace("\\\n", " ")
        names = [
            name for line in re.findall(r"^REGRESS \+?= (.*)$", text, re.MULTILINE) for name in line.split()
        ]
        files = _files(makefile.parent, names)
        if files:
            yield Suite(makefile.parent.name, makefile.parent, files)


def _files(root: Path, names: list[str]) -> tuple[Path, ...]:
    candidates = (
        path for name in names for path in (root / f"sql/{name}.sql", root / f"input/{name}.source")
    )
    return tuple(path for path in candidates if path.exists())


# --- psql's language, as far as the tests need it ----------------------------------------------------------

_TOKEN = re.compile(
    r"""(?P<comment>--[^\n]*|/\*.*?\*/)
      | (?P<escaped>\b[eE]'(?:[^'\\]|''|\\.)*')
      | (?P<string>'(?:[^']|'')*')
      | (?P<name>"(?:[^"]|"")*")
      | (?P<dollar>\$(?P<tag>[A-Za-z_]*)\$.*?\$(?P=tag)\$)
      | (?P<command>\\(?:;|[^\n]*))
      | (?P<variable>(?<!:):(?:'(?P<quoted>\w+)'|"(?P<ident>\w+)"|(?P<bare>[A-Za-z_]\w*)))
      | (?P<word>[A-Za-z_][\w$]*)
      | (?P<sign>[();])
    """,
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a script, or a psql command (its text starts with a backslash)."""

    text: str
    several: bool = False
    """Whether it is several statements, which psql sends at once."""
    data: str = ""
    """The data that follow a ``COPY ... FROM stdin``."""


def statements(script: str, variables: dict[str, str]) -> Iterator[Statement]:
    r"""Yield the statements and psql commands of a script; ``variables`` are psql's, and ``\set`` adds to"
    " them."""
    at, parts = 0, _Parts()
    while found := _TOKEN.search(script, at):
        parts.add(script[at : found.start()])
        kind, text, at = found.lastgroup, found[0], found.end()
        kind = "variable" if found["variable"] else "dollar" if found["dollar"] else kind
        if kind == "variable":
            parts.add(_value(found, variables))
        elif kind == "command" and text == r"\;":
            parts.add(";")
            parts.several = True
        elif kind == "command":
            command = _expanded(text, variables)
            if command.startswith((r"\g", r"\bind", r"\crosstab")) and parts.text.strip():
                several = parts.several
                yield Statement(parts.take(), several)
            _remember(command, variables)
            yield Statement(command)
        elif text == ";" and not parts.depth:
            several = parts.several
            statement = parts.take()
            data = ""
            if re.match(r"\s*copy\b.*\bfrom\s+stdin\b", statement, re.IGNORECASE | re.DOTALL):
                end = script.find("\n\\.", at)
                if end < 0:
                    continue  # rejected
                data = script[script.find("\n", at) + 1 : end + 1]
                at = end + 3
            yield Statement(statement, several, data)
        elif kind != "comment":
            parts.take_in(text)
    if (parts.text + script[at:]).strip():
        yield Statement(parts.take() + script[at:])


class _Parts:
    """The part of a statement that has been read so far."""

    def __init__(self) -> None:
        self.text = ""
        self.several = False
        self.depth = 0
        """The depth of parentheses and bodies of SQL functions, in which a semicolon ends no statement."""

    def add(self, text: str) -> None:
        self.text += text

    def take_in(self, text: str) -> None:
        word = text.lower()
        in_body = re.match(r"\s*create\b[\w\s]*\b(function|procedure)\b", self.text, re.IGNORECASE)
        if text == "(" or (in_body and word in ("atomic", "case")):
            self.depth += 1
        elif text == ")" or (in_body and word == "end"):
            self.depth = max(0, self.depth - 1)
        self.text += text

    def take(self) -> str:
        text, self.text, self.depth, self.several = self.text, "", 0, False
        return text


def _value(found: re.Match[str], variables: dict[str, str]) -> str:
    name = found["quoted"] or found["ident"] or found["bare"]
    if name not in variables:
        return found[0]
    value = variables[name]
    if found["quoted"]:
        return "'" + value.replace("'", "''") + "'"
    return '"' + value.replace('"', '""') + '"' if found["ident"] else value


def _expanded(command: str, variables: dict[str, str]) -> str:
    return re.sub(r":'(\w+)'|:(\w+)", lambda found: variables.get(found[1] or found[2], found[0]), command)


def _remember(command: str, variables: dict[str, str]) -> None:
    words = command.split()
    if words[0] == r"\set" and len(words) > 1:
        variables[words[1]] = "".join(word.strip("'") for word in words[2:])
    elif words[0] == r"\getenv" and len(words) == 3:
        variables[words[1]] = variables.get(words[2], "")
