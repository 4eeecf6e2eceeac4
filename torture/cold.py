"""Sessions that start simultaneously with an empty store: one downloads the archive, and each gets its server."""

from __future__ import annotations

from torture import processes, wheels
from torture.kills import SHORT
from torture.model import Check
from torture.place import Place, place


def _sessions(count: int) -> list[str]:
    with place() as where:
        log = where.path / "pip.log"
        store = where.path / "store"
        del where.environment["PGFEATURES_OFFLINE"]
        where.environment |= wheels.only_here(where.path / "jgo.conf")
        where.environment |= {"PIP_LOG": str(log), "PGFEATURES_CACHE": str(store)}
        sessions = []
        for number in range(count):
            session = Place(where.path / f"session{number}")
            session.path.mkdir()
            session.environment = where.environment
            session.write(SHORT)
            sessions.append((session, session.start(f"--pg={wheels.WANTED}")))
        failures = []
        for session, run in sessions:
            try:
                if run.wait(timeout=300):
                    failures.append(f"status {run.poll()}: {session.output[-500:]}")
            except TimeoutError as error:
                failures.append(str(error))
        downloads = log.read_text(errors="replace").count("Saved ") if log.exists() else 0
        installs = sorted(path.name for path in (store / "installs").iterdir())
        if downloads != 1 or len(installs) != 1:
            failures.append(f"{downloads} downloads, installs: {installs}")
        return failures + where.left()


CHECKS = (
    Check(
        "sessions at once, cold cache",
        16,
        _sessions,
        unit=16,
        missing=lambda: processes.missing() or wheels.missing(),
    ),
)
