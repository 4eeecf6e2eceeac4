"""Run modules beside this one as separate programs, in an interpreter without installed packages."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_pgfeatures.install import Account


def end_leftovers(run_directory: Path, account: Account | None) -> None:
    """End the servers of a dead run, and remove what killed servers left in the kernel.

    This is needed if the run's supervisor and monitors were killed.

    Parameters:
        run_directory: the dead run's directory. It is not removed.
        account: the account that the servers ran as; None for the current user.
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
    """An account as an argument for these programs."""
    return json.dumps(None if account is None else [account.uid, account.gid, account.groups])


def own_program(module: str) -> list[str]:
    """The command line that runs a module beside this one as a program, without installed packages.

    The module is imported, so that Python can use its compiled form. This directory comes last in the path, so that
    its modules don't hide those of the standard library.
    """
    prefix = [] if sys.pycache_prefix is None else ["-X", f"pycache_prefix={sys.pycache_prefix}"]
    program = f"import sys; sys.path.append({str(Path(__file__).parent)!r}); import {module}; {module}.main()"
    return [sys.executable, "-I", "-S", *prefix, "-c", program]
