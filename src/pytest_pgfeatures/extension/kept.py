"""Keep the files that a stage leaves: pg_regress' differences and results, the logs of servers and of TAP tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.server.account_files import read_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.extension.workspace import Workspace
    from pytest_pgfeatures.server import Cluster

_PATTERNS = (
    "**/regression.diffs",
    "**/regression.out",
    "**/results/**/*.out",
    "**/output_iso/**/*",
    "**/tmp_check/log/*",
)


def keep(workspace: Workspace, name: str, tree: Path | None, *clusters: Cluster | None) -> None:
    """Copy files to a directory for one stage below the one of the option ``keep``, if that is set.

    Parameters:
        name: the stage.
        tree: the copy of the sources in which tests ran; None if there is none.
        clusters: the servers whose logs to keep.

    Raises:
        OSError: a file can't be written.
    """
    if not workspace.options.keep:
        return
    top = (workspace.source.directory or Path()) / workspace.options.keep / workspace.cell / name
    files = [(path, path.relative_to(tree)) for path in _files(tree)] if tree else []
    files += [(each.log.path, Path(f"{each.name}.log")) for each in clusters if each is not None]
    for source, target in files:
        try:
            content = read_file(source, workspace.clusters.account)
        except OSError:  # a link, or not a file of the servers' user
            continue
        (top / target).parent.mkdir(parents=True, exist_ok=True)
        (top / target).write_bytes(content)


def _files(tree: Path) -> Iterator[Path]:
    for pattern in _PATTERNS:
        yield from (path for path in sorted(tree.glob(pattern)) if path.is_file())
