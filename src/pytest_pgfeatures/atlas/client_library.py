"""Runs Python programs with an install's libpq, each in its own process: the tests' process uses another libpq."""

import subprocess
import sys
from pathlib import Path

LIBRARY = "libpq.so.5"
# PQlibVersion() gives such as 150018: https://www.postgresql.org/docs/current/libpq-misc.html
MAJOR = "import ctypes, sys; print(ctypes.CDLL(sys.argv[1]).PQlibVersion() // 10000)"


def run_libpq(lab, program, *arguments):
    """Run a Python program with an install's libpq, and return what it prints.

    A distribution's installs of all majors load the system's libpq. It is used for its own major only.

    Parameters:
        program: Python source; ``sys.argv[1]`` is the library's path, and the ``arguments`` follow.

    Raises:
        CapabilityMissingError: the install has no libpq of its own, and the system's is of another major.
    """
    install = lab.cluster.install
    own = sorted(install.bindir.parent.glob(f"lib*/**/{LIBRARY}*"))
    of_system = [
        path
        for path in Path("/usr/lib").glob(f"*/{LIBRARY}")
        if _printed(MAJOR, path) == str(lab.version.major)
    ]
    library = next(iter([*own, *of_system]), None) or install.program(LIBRARY)
    return _printed(program, library, *arguments)


def _printed(program, *arguments):
    ran = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)], capture_output=True, text=True, check=True
    )
    return ran.stdout.strip()
