"""Modules beside this one that run as programs of their own, with nothing installed in their interpreter."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_pgfeatures.install import Account


def end_leftovers(run_directory: Path, account: Account | None) -> None:
    """End servers of a run whose supervisor and monitors were killed, and remove what killed servers have left.

    Parameters:
        run_directory: the dead run's; it is not removed.
        account: who the servers ran as; None for us.
    """
    subprocess.run(
        [*own_program("leftovers"), str(run_directory), account_as_json(account)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        check=False,
    )


def account_as_json(account: Account | None) -> str:
    """An account as these programs take it."""
    return json.dumps(None if account is None else [account.uid, account.gid, account.groups])


def own_program(module: str) -> list[str]:
    """A module beside this one as a program of its own: this interpreter without what is installed in it, and with
    compiled modules where we have them. Imported, it need not be compiled each time; last in the path, no module
    there stands for another."""
    prefix = [] if sys.pycache_prefix is None else ["-X", f"pycache_prefix={sys.pycache_prefix}"]
    program = f"import sys; sys.path.append({str(Path(__file__).parent)!r}); import {module}; {module}.main()"
    return [sys.executable, "-I", "-S", *prefix, "-c", program]
