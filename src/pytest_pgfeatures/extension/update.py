"""The stage ``update``: run each update script, and the paths to the default version
(https://www.postgresql.org/docs/current/extend-extensions.html#EXTEND-EXTENSIONS-UPDATES)."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.extension.create import versions
from pytest_pgfeatures.extension.install_copy import scripts_of
from pytest_pgfeatures.extension.model import Done, NothingToDoError, Object, StageError
from pytest_pgfeatures.extension.objects import cut
from pytest_pgfeatures.extension.previous import update_from
from pytest_pgfeatures.extension.updating import FreshInstall, objects_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.extension.workspace import Workspace

_UNREACHABLE = (
    "it starts at a version that can't be created here; --previous has an earlier release create that version"
)


def update(workspace: Workspace) -> Done:
    """Run each update script once, and each path from a released version to the default version.

    The result is compared with a fresh install of the target version, if the target has an installation script.
    A released version is one that has an installation script; the oldest version counts as released, too.
    """
    parts = [part for name in workspace.names for part in _update(workspace, name)]
    if workspace.options.previous:
        parts += update_from(workspace, workspace.options.previous)
    failed = tuple(part for part in parts if isinstance(part, Object))
    run = {
        script
        for name, version in workspace.updated_from.items()
        for script in _scripts(workspace, name, version)
    }
    left_out = [object for part in parts if isinstance(part, list) for object in part]
    not_run = tuple(object for object in left_out if object.id not in run)
    done = [part for part in parts if isinstance(part, str)]
    if not (failed or not_run or done):
        raise NothingToDoError("it has no update scripts")
    scripts, paths = (sum(part == kind for part in done) for kind in ("script", "path"))
    done_parts = [
        f"{count} {kind}{'s' if count > 1 else ''}"
        for kind, count in (("script", scripts), ("path", paths))
        if count
    ]
    done_parts += [part for part in done if part not in ("script", "path")]
    return Done(", ".join(done_parts), failed, not_run)


def _scripts(workspace: Workspace, name: str, version: str) -> list[str]:
    """The update scripts on the path from a version to the default version."""
    default, _ = versions(workspace, name)
    with workspace.connect("postgres") as connection:
        row = connection.execute(
            "SELECT path FROM pg_extension_update_paths(%s) WHERE source = %s AND target = %s",
            [name, version, default],
        ).fetchone()
    steps = (row[0] or "").split("--") if row else []
    return [f"script:{name}--{source}--{target}.sql" for source, target in itertools.pairwise(steps)]


def _update(workspace: Workspace, name: str) -> Iterator[Object | list[Object] | str]:
    """The result of each script and path: a failed object, objects that were not run, or a description of the
    success."""
    default, _ = versions(workspace, name)
    created = workspace.created.get(name, ())
    with workspace.connect("postgres") as connection:
        paths = connection.execute(
            "SELECT source, target, path FROM pg_extension_update_paths(%s) WHERE path IS NOT NULL ORDER BY 1, 2",
            [name],
        ).fetchall()
    edges = {(source, target) for source, target, path in paths if path == f"{source}--{target}"}
    fresh = _FreshInstalls(workspace, name)
    broken: set[tuple[str, str]] = set()
    for source, target in sorted(edges, key=_as_numbers):
        script = f"script:{name}--{source}--{target}.sql"
        if source == "unpackaged":  # for CREATE EXTENSION FROM, which 13 removed
            continue
        if source not in created:
            if workspace.source.is_built:  # otherwise a distributor packaged it, without the old versions
                yield [Object(script, _UNREACHABLE)]
            continue
        try:
            wrong = fresh.compared(source, target, f"{source}--{target}")
        except StageError as error:
            broken.add((source, target))
            yield Object(script, error.summary, error.details)
            continue
        yield Object(script, *wrong) if wrong else "script"
    released = [version for version in created if f"{name}--{version}.sql" in fresh.scripts]
    starts = {source for source, target, _ in paths if target == default and source in created}
    oldest = sorted(starts, key=_as_numbers)[:1]
    for source, target, path in paths:
        if target != default or source not in {*released, *oldest} & starts or (source, target) in edges:
            continue
        steps = path.split("--")
        if broken.intersection(itertools.pairwise(steps)):
            continue
        try:
            wrong = fresh.compared(source, target, path)
        except StageError as error:
            yield Object(f"path:{name}--{path}", error.summary, error.details)
            continue
        yield Object(f"path:{name}--{path}", *wrong) if wrong else "path"


class _FreshInstalls:
    """The objects and rows that fresh installs of an extension's versions create."""

    def __init__(self, workspace: Workspace, name: str) -> None:
        self.workspace = workspace
        self.name = name
        self.scripts = scripts_of(workspace.install_copy, name)
        self._fresh: dict[str, FreshInstall] = {}

    def compared(self, source: str, target: str, path: str) -> tuple[str, tuple[str, ...]] | None:
        """Update, and compare with a fresh install. Return the summary and the details of the difference; None if
        there is none.

        Raises:
            StageError: the server rejected the update.
        """
        updated = objects_of(self.workspace, self.name, source, target)
        if f"{self.name}--{target}.sql" not in self.scripts:
            return None  # a fresh install would run the same scripts
        if target not in self._fresh:
            self._fresh[target] = FreshInstall.of(self.workspace, self.name, target)
        lines = self._fresh[target].difference(updated)
        return (f"{self.name} {path} differs from a fresh {target}", cut(lines)) if lines else None


def _as_numbers(version: str | tuple[str, ...]) -> list[tuple[int, int, str]]:
    """A sort key that puts 1.10 after 1.9."""
    text = version if isinstance(version, str) else " ".join(version)
    return [(1, int(part), "") if part.isdigit() else (0, 0, part) for part in re.split(r"(\d+)", text)]
