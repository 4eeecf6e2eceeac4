"""Download Maven artifacts with binaries by jgo, a Maven client in Python.

The user's repositories come from jgo's own settings (``jgo.conf``), else from a mirror of ``central`` in
Maven's ``settings.xml``; proxies and certificates from the environment, as the library requests reads them.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import DownloadError
from pytest_pgfeatures.install.platform import this_platform
from pytest_pgfeatures.install.reach import unreachable
from pytest_pgfeatures.install.release import Release, read_label
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pytest_pgfeatures.install.release import Report

NAME = "maven"
ZONKY = "io.zonky.test.postgres:embedded-postgres-binaries"
OPENTABLE = "com.opentable.components:otj-pg-embedded"
# No metadata names the servers in these artifacts; they were found by running the servers.
OPENTABLE_SERVERS = {"0.4.4": PgVersion("9.3.5"), "0.7.1": PgVersion("9.5.3")}
_SECONDS = 30

_REMEDY = (
    "check the repositories in jgo.conf or the mirrors in Maven's settings.xml, and the proxy variables; "
    "PGFEATURES_OFFLINE=1 uses only available installs"
)


def releases() -> tuple[Release, ...]:
    """The releases in the repositories for this platform, oldest first.

    Raises:
        DownloadError: no repository can be read.
    """
    import tempfile

    platform = this_platform()
    found = []
    if platform.opentable:
        found += [Release(NAME, version, OPENTABLE, label) for label, version in OPENTABLE_SERVERS.items()]
    if platform.zonky:
        project = f"{ZONKY}-{platform.zonky}"
        with tempfile.TemporaryDirectory() as directory, _explaining(project) as said:
            metadata = _project(project, Path(directory))
            metadata.update()
            labels = [component.version for component in metadata.versions()]
            if not labels:
                raise unreachable(NAME, said) or DownloadError(
                    f"no Maven repository tells the versions of {project}",
                    details=tuple(said),
                    remedy=_REMEDY,
                )
        found += [release for label in labels if (release := read_label(NAME, project, label))]
    return tuple(sorted(found, key=lambda release: release.order))


def download(release: Release, directory: Path, report: Report) -> Path:
    """Fetch a release's jar into a directory and return its path.

    Raises:
        DownloadError: jgo could not fetch it.
    """

    @contextlib.contextmanager
    def reporting(_name: str, total: int) -> Iterator[Any]:
        done = 0

        def advance(count: int) -> None:
            nonlocal done
            done += count
            report(done, total)

        yield advance

    with _explaining(release.project):
        artifact = _project(release.project, directory, reporting).at_version(release.label).artifact()
        return Path(artifact.resolve())


def _project(project: str, cache: Path, reporting: Any = None) -> Any:
    from jgo.config import GlobalSettings
    from jgo.constants import default_maven_repo
    from jgo.maven import MavenContext, PythonResolver

    own: list[Path] = []
    repositories: dict[str, str] = {}
    # A home directory that is unknown, or that we may not read, has no settings for us.
    with contextlib.suppress(OSError, RuntimeError):
        own = [repository for repository in (default_maven_repo(),) if repository.is_dir()]
    with contextlib.suppress(OSError, RuntimeError):
        repositories = GlobalSettings.load().repositories or mirror_of_central()
    context = MavenContext(
        resolver=PythonResolver(progress_callback=reporting),
        repo_cache=cache,
        local_repos=own or None,
        remote_repos=repositories or None,
        timeout=_SECONDS,
    )
    return context.project(*project.split(":"))


@contextlib.contextmanager
def _explaining(project: str) -> Iterator[list[str]]:
    """Convert jgo's exceptions to :class:`DownloadError`, and keep its log out of the terminal."""
    said: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.extend(record.getMessage().splitlines())

    logger, handler = logging.getLogger("jgo"), Keep(logging.WARNING)
    logger.addHandler(handler)
    try:
        yield said
    except (RuntimeError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # caused by the disk; the errors of requests are OSErrors, too, but without a number
        lines = (*said, str(error))
        raise unreachable(NAME, lines) or DownloadError(
            f"jgo could not fetch {project}", details=lines, remedy=_REMEDY
        ) from None
    finally:
        logger.removeHandler(handler)


def mirror_of_central() -> dict[str, str]:
    """The mirror of ``central`` that the user's or the machine's Maven settings name, as jgo takes it.

    https://maven.apache.org/guides/mini/guide-mirror-settings.html
    """
    homes = [Path("~/.m2")]
    homes += [Path(os.environ[name]) / "conf" for name in ("MAVEN_HOME", "M2_HOME") if os.environ.get(name)]
    for home in homes:
        with contextlib.suppress(PermissionError, RuntimeError):  # as with jgo's own settings
            settings = home.expanduser() / "settings.xml"
            if settings.is_file() and (url := _mirror_in(settings)):
                return {"central": url.rstrip("/")}
    return {}


def _mirror_in(settings: Path) -> str | None:
    from xml.etree import ElementTree

    try:
        root = ElementTree.parse(settings).getroot()
    except (ElementTree.ParseError, OSError) as error:
        raise DownloadError(
            f"Maven's settings {settings} can't be read: {error}",
            remedy="correct the file, or name it otherwise",
        ) from None
    for mirror in root.iterfind("{*}mirrors/{*}mirror"):
        of = [name.strip() for name in mirror.findtext("{*}mirrorOf", "").split(",")]
        if "!central" not in of and {"central", "*", "external:*", "external:http:*"} & set(of):
            return re.sub(
                r"\$\{env\.(\w+)\}",
                lambda name: os.environ.get(name[1], ""),
                mirror.findtext("{*}url", "").strip(),
            )
    return None
