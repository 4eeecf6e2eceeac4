"""Why a build failed: the extension's fault, or something that the machine lacks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.extension.install_copy import includedir_server
from pytest_pgfeatures.extension.libraries import Library, of_header, of_link
from pytest_pgfeatures.extension.model import LackingError, StageError

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.extension.workspace import Workspace
    from pytest_pgfeatures.results.program import Finished

_ERROR = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<message>.*)$", re.MULTILINE
)
_WARNING = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+:)? warning: (?P<message>.*)$", re.MULTILINE
)
_NO_HEADER = re.compile(r"^'?(?P<header>[^\s:']+\.h)'?(?:: No such file or directory| file not found)$")
_INCLUDE = re.compile(r"^\s*#\s*include\s*[<\"]([^>\"]+)", re.MULTILINE)
_MAKE_ERROR = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+): \*\*\* (?P<message>.*)$", re.MULTILINE)
_NOT_THERE = re.compile(
    r"^(?:make(?:\[\d+\])?|(?:/\S*/)?(?:ba|da)?sh)(?:: line \d+|: \d+)?: (?P<program>[^\s:]+): "
    r"(?P<why>No such file or directory|Permission denied|command not found|not found)$",
    re.MULTILINE,
)
_MISSING = re.compile(r"^ERROR: `(?P<program>\w+)' is missing on your system\.", re.MULTILINE)
"""The message of PostgreSQL's ``config/missing``."""
_NO_LIBRARY = re.compile(
    r"^(?:\S*ld(?:\.\w+)?|clang\S*): .*?(?:cannot find|unable to find library|library not found for) "
    r"-l(?P<name>[^\s:]+)"
    r"|^ld: library '(?P<other>[^']+)' not found",
    re.MULTILINE,
)
_LINK_ERROR = re.compile(
    r"^(?:.*: )?(?:undefined reference to .*|multiple definition of .*|undefined symbol: .*|relocation .*)$"
    r"|^\S*ld(?:\.\w+)?: (?!.*: in function )(?!warning).*$",
    re.MULTILINE,
)
_VARIABLES = {"flex": "FLEX", "bison": "BISON", "perl": "PERL", "cc": "CC", "gcc": "CC", "clang": "CC"}
"""The variables of PGXS that name programs."""
_LINES = 40


def check(workspace: Workspace, what: str, ended: Finished, tree: Path) -> None:
    """Raise an error if a build failed.

    Parameters:
        what: what was run.
        ended: how it ended.
        tree: the copy of the sources.

    Raises:
        LackingError: the machine lacks a program, a header or a library.
        StageError: the extension does not build.
    """
    if ended.status == 0:
        return
    output, lines = ended.output, ended.output.splitlines()
    if match := _NOT_THERE.search(output) or _MISSING.search(output):
        _lacks_program(match, lines)
    match = _ERROR.search(output)
    if match and (header := _NO_HEADER.match(match["message"])):
        _lacks_header(workspace, tree, header["header"], match, lines)
    if match is None and (found := _NO_LIBRARY.search(output)):
        _lacks_library(found["name"] or found["other"], lines)
    if match is None and (linking := _LINK_ERROR.search(output)):
        first = output[: linking.start()].count("\n")
        raise StageError(linking[0].strip(), tuple(lines[first : first + _LINES]))
    match = match or _MAKE_ERROR.search(output)
    if match is None:
        last = next((line for line in reversed(lines) if "error" in line.lower() or "***" in line), "")
        raise StageError(last.strip() or f"{what} ended with status {ended.status}", tuple(lines[-_LINES:]))
    summary = f"{match['file']}:{match['line']}: {match['message']}"
    details = _from(match, lines)
    if library := _left_out_of_server(workspace, tree / match["file"]):
        raise LackingError(
            library.name,
            f"the server was built without {library.name}, which {match['file']} uses: {summary}",
            (*details, f"what to do: use a server built with {library.name}, with --pg path:DIRECTORY"),
        )
    if tree != workspace.tree or not (tree / match["file"]).is_relative_to(
        tree
    ):  # a header or makefile of the server's
        raise StageError(summary, details)
    raise StageError(summary, details, file=match["file"], line=int(match["line"]))


def compiler_warnings(ended: Finished) -> tuple[str, ...]:
    """The compiler's warnings, each once, without columns."""
    return tuple(
        dict.fromkeys(
            f"{each['file']}:{each['line']}: {each['message']}" for each in _WARNING.finditer(ended.output)
        )
    )


def _lacks_program(match: re.Match[str], lines: list[str]) -> None:
    program = match["program"]
    name = program.rpartition("/")[2]
    why = match.groupdict().get("why") or "it is missing"
    variable = _VARIABLES.get(name)
    other = f", or name another with --make {variable}=..." if variable else ""
    raise LackingError(
        name,
        f"make can't run {program}: {why}",
        (*lines[-_LINES:], f"what to do: install {name}, for the user who runs the servers, too{other}"),
    )


def _lacks_header(
    workspace: Workspace, tree: Path, header: str, match: re.Match[str], lines: list[str]
) -> None:
    """Raise LackingError if the machine lacks a package. The server's own headers don't count: majors add and
    remove them."""
    library = of_header(header)
    by_server = not (tree / match["file"]).is_relative_to(tree)
    if library is None and not by_server and not _is_of_third_party(workspace, tree, header, match):
        return
    name = library.name if library else header
    remedy = (
        f"install {library.name} ({library.remedy})" if library else f"install the package that has {header}"
    )
    raise LackingError(
        name,
        f"the machine has no {header}, which {match['file'].rpartition('/')[2]} includes",
        (*_from(match, lines), f"what to do: {remedy}"),
    )


def _is_of_third_party(workspace: Workspace, tree: Path, header: str, match: re.Match[str]) -> bool:
    """Whether a header that was not found is neither the extension's nor PostgreSQL's, as far as its name tells:
    their directories exist, and files of one's own are included in quotes."""
    directory, slash, _ = header.partition("/")
    if slash:
        return not any(
            (top / directory).is_dir() for top in (tree, includedir_server(workspace.install_copy))
        )
    text = (tree / match["file"]).read_text(errors="replace").splitlines()
    number = int(match["line"])
    return number <= len(text) and "<" in text[number - 1] and not any(tree.rglob(header))


def _left_out_of_server(workspace: Workspace, file: Path) -> Library | None:
    """A library whose headers a file includes, and that the server was built without, so that the server's headers
    don't have what goes with it."""
    try:
        included = _INCLUDE.findall(file.read_text(errors="replace"))
        configured = (includedir_server(workspace.install_copy) / "pg_config.h").read_text(errors="replace")
    except OSError:
        return None
    used = {library for header in included if (library := of_header(header)) and library.server_header}
    return next(
        (each for each in used if each.server_header and f"#undef {each.server_header[1]} " in configured),
        None,
    )


def _lacks_library(name: str, lines: list[str]) -> None:
    library = of_link(name)
    remedy = (
        f"install {library.name} ({library.remedy})" if library else f"install the package that has lib{name}"
    )
    about = [line for line in lines if f"-l{name}" in line or (name in line and "ld" in line)]
    raise LackingError(
        library.name if library else f"lib{name}",
        f"the machine has no library to link with -l{name}",
        (*about[-_LINES:], f"what to do: {remedy}"),
    )


def _from(match: re.Match[str], lines: list[str]) -> tuple[str, ...]:
    first = match.string[: match.start()].count("\n")
    while first and re.match(r"In file included from |\s+from ", lines[first - 1]):
        first -= 1
    return tuple(lines[first : first + _LINES])
