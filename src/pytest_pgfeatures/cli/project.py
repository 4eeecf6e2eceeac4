"""The files that ``pgfeatures init`` finds in a project: its schema, statements, configuration and versions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.inputs.languages import BY_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LEFT_OUT = frozenset({
    "node_modules", "venv", "env", "build", "dist", "target", "vendor", "site-packages", "__pycache__",
    "tests", "test",
})  # fmt: skip
_SCHEMAS = frozenset({"schema.sql", "structure.sql", "schema.dump", "init.sql"})
_MIGRATIONS = frozenset({"migrations", "migration", "migrate", "versions", "schema", "schemas", "ddl"})
_SOURCES = frozenset(BY_SUFFIX) - {".toml", ".tf", ".hcl"}
"""The suffixes of programs. The other formats that have a grammar are configuration, mostly."""
_CONFIGURATION = {"postgresql.conf": "config", "pg_hba.conf": "hba", "pg_ident.conf": "ident"}
_SCRIPTS = re.compile(r"(?:docker-)?compose[\w.-]*\.ya?ml|Dockerfile.*")
_COMMANDS = {
    "alembic.ini": "alembic upgrade head",
    "manage.py": "python manage.py migrate",
    "db/schema.rb": "bin/rails db:schema:load",
}
"""The commands that create a schema that no SQL file has, by a file that shows that a project has them."""
_IMAGE = re.compile(r"\b(?:postgres|postgis/postgis|timescale/timescaledb)[\w/-]*:(?:pg)?(\d\d|9\.\d)\b")
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Project:
    """The files found, as paths relative to the project's directory.

    Parameters:
        inputs: the files and directories, by the option that takes them.
        versions: majors that images of containers name, the oldest first.
        commands: commands that create the schema, if no SQL file has it.
    """

    inputs: Mapping[str, tuple[str, ...]]
    versions: tuple[str, ...]
    commands: tuple[str, ...]


def look_at(directory: Path) -> Project:
    """Look for the files that ``pgfeatures readiness`` reads. Links are not followed."""
    files = sorted(_files(directory, _DEEPEST))
    sql = [file for file in files if file.suffix == ".sql"]
    above = {file: migrations for file in sql if (migrations := _migrations_above(file)) is not None}
    schema = [file for file in files if file.name in _SCHEMAS] or sorted(set(above.values()))
    data = [file for file in sql if file.stem in ("data", "seed", "seeds", "fixtures")]
    taken = {*schema, *data, *above}
    read = (
        file for file in files if file.suffix in _SOURCES or (file.suffix == ".sql" and file not in taken)
    )
    found = {
        "schema": schema,
        "data": data,
        "queries": sorted(set(map(_top, read))),
        **{option: [file for file in files if file.name == name] for name, option in _CONFIGURATION.items()},
        "scripts": [file for file in files if _SCRIPTS.fullmatch(file.name)],
    }
    return Project(
        {option: tuple(map(str, paths)) for option, paths in found.items()},
        _versions(directory, files),
        () if schema else tuple(_COMMANDS[str(file)] for file in files if str(file) in _COMMANDS),
    )


def _files(directory: Path, depth: int, below: Path = Path()) -> Iterator[Path]:
    try:
        entries = list(directory.iterdir())
    except OSError:
        return
    for entry in entries:
        relative = below / entry.name
        if entry.is_symlink() or (entry.name.startswith(".") and entry.name != ".github"):
            continue
        if entry.is_dir():
            if depth and entry.name not in _LEFT_OUT and not entry.name.endswith(".egg-info"):
                yield from _files(entry, depth - 1, relative)
        else:
            yield relative


def _migrations_above(file: Path) -> Path | None:
    """The directory of migrations, or of a schema's parts, that a file lies in or below."""
    return next((above for above in reversed(file.parents) if above.name in _MIGRATIONS), None)


def _top(file: Path) -> Path:
    """The directory to name for a file: its top-level one, or the file itself if it has none."""
    if file.suffix == ".sql":
        return file.parent if file.parent != Path() else file
    return Path(file.parts[0])


def _versions(directory: Path, files: list[Path]) -> tuple[str, ...]:
    found = set()
    for file in files:
        if file.suffix in (".yml", ".yaml") or file.name.startswith("Dockerfile"):
            text = (directory / file).read_text(encoding="utf-8", errors="replace")
            found.update(_IMAGE.findall(text))
    return tuple(sorted(found, key=float))
