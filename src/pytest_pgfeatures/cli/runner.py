"""Running the atlas through pytest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors import registry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.behaviors.model import Behavior


def run_atlas(
    pg: str | None,
    arguments: Sequence[str] = (),
    *,
    behaviors: Sequence[Behavior] | None = None,
    plugins: Sequence[object] = (),
) -> int:
    """Run behaviors of the atlas in this process.

    Parameters:
        pg: the versions, as ``--pg`` takes them; None for the default.
        arguments: more of pytest's.
        behaviors: only these; None for all.
        plugins: objects with pytest hooks.

    Returns:
        pytest's exit status.
    """
    import pytest

    from pytest_pgfeatures import atlas
    from pytest_pgfeatures.install import Store

    top = Path(str(atlas.__file__)).parent
    if behaviors is None:
        tests = [str(path) for path in registry.atlas_files()]
    else:
        tests = [f"{each.file}::{each.observe.__name__}" for each in behaviors]
    return pytest.main(
        [
            # Neither the configuration nor the conftest.py of a project that we are installed in counts.
            f"--config-file={top / 'pytest.ini'}",
            f"--rootdir={top}",
            f"--override-ini=cache_dir={Store.open().root / 'verify'}",
            "-ppgfeatures",
            "-pno:asyncio",
            *([f"--pg={pg}"] if pg else ()),
            *arguments,
            *tests,
        ],
        plugins=list(plugins),
    )
