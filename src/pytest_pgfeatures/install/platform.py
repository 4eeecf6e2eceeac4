"""The builds that run on this host."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from pytest_pgfeatures.errors import InstallError


@dataclass(frozen=True, slots=True)
class Platform:
    """A kind of host, and its names in the registries.

    Parameters:
        name: system, C library if it matters, and processor.
        zonky: the end of the Maven artifact's name, empty if there is none.
        opentable: the end of the archive's name inside its jar, empty where there is none.
    """

    name: str
    zonky: str = ""
    opentable: str = ""


PLATFORMS: tuple[Platform, ...] = (
    Platform("linux-x86_64", "linux-amd64", "Linux-x86_64"),
    Platform("linux-aarch64", "linux-arm64v8"),
    Platform("linux-ppc64le", "linux-ppc64le"),
    Platform("linux-musl-x86_64", "linux-amd64-alpine"),
    Platform("linux-musl-aarch64", "linux-arm64v8-alpine"),
    Platform("macos-x86_64", "darwin-amd64", "Darwin-x86_64"),
    Platform("macos-aarch64", "darwin-arm64v8"),
)

_PROCESSORS = {"amd64": "x86_64", "arm64": "aarch64"}


def this_platform() -> Platform:
    """The host's platform. If no registry has binaries for it, it has a name only.

    Raises:
        InstallError: this is Windows.
    """
    if sys.platform == "win32":
        raise InstallError(
            "pytest-pgfeatures starts servers on Linux and macOS only, and this is Windows",
            remedy="run the tests in WSL; plans and the models of literals work here, as they need no server",
        )
    machine = os.uname().machine.lower()
    processor = _PROCESSORS.get(machine, machine)
    system = "macos" if sys.platform == "darwin" else sys.platform
    name = f"{system}-musl-{processor}" if system == "linux" and not _has_glibc() else f"{system}-{processor}"
    return next((platform for platform in PLATFORMS if platform.name == name), Platform(name))


def _has_glibc() -> bool:
    try:
        return (os.confstr("CS_GNU_LIBC_VERSION") or "").startswith("glibc")
    except (ValueError, OSError):
        return False
