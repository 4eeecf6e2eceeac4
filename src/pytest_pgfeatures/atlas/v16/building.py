"""Building PostgreSQL itself: section 4.5.5 of the PostgreSQL 16 verification report.

The environment variable PGFEATURES_SOURCE_TREES names the sources, one directory for each major.
Both builds leave out features that need other libraries, and neither writes into the sources.
"""

import os

from pytest_pgfeatures import behavior

REPORT = "PostgreSQL 16 verification report"
LIBRARIES = ("icu", "readline", "zlib")


def built_with_autoconf(sources):
    """Build and install with configure and make, contrib included. Return the directory, or None after an error."""
    place, prefix = sources.place / "autoconf", sources.place / "of-autoconf"
    without = [f"--without-{library}" for library in LIBRARIES]
    steps = [
        [sources.path / "configure", f"--prefix={prefix}", "CFLAGS=-O0", *without],
        ["make", "--silent", f"--jobs={os.cpu_count()}", "world-bin"],
        ["make", "--silent", "install-world-bin"],
    ]
    return prefix if all(sources.run(*step, directory=place).status == 0 for step in steps) else None


def built_with_meson(sources):
    """Build and install with meson and ninja. Return the directory, or None after an error."""
    place, prefix = sources.place / "meson", sources.place / "of-meson"
    setup = ["meson", "setup", place, sources.path, f"--prefix={prefix}", "--libdir=lib"]
    setup += ["--optimization=0", "--auto-features=disabled"]
    steps = [setup, ["ninja", "--quiet"], ["ninja", "--quiet", "install"]]
    return prefix if all(sources.run(*step, directory=place).status == 0 for step in steps) else None


def files(sources):
    """Return the files of the source tree."""
    return {path.relative_to(sources.path) for path in sources.path.rglob("*")}


@behavior(
    "16/build-with-meson",
    title="Meson and ninja build what configure and make build",
    area="programs",
    source=f"{REPORT}, 4.5.5",
    manual="install-meson",
    since="16",
    expect={
        "<16": {"Autoconf": True, "Meson": False, "new files among the sources": 0},
        ">=16": {
            "Autoconf": True,
            "Meson": True,
            "new files among the sources": 0,
            "programs of one only": [],
            "extensions of one only": [],
            "settings of one only": [],
        },
    },
    note=(
        "The report says that only Meson can keep several builds of one source tree apart; configure can be"
        " run in another directory, too, as it is here. For Meson, sources of 16 have to be a Git checkout,"
        " as the report says; from 17 on, released sources work, too."
    ),
)
def build_with_meson(lab):
    sources = lab.source_tree()
    before = files(sources)
    autoconf, meson = built_with_autoconf(sources), built_with_meson(sources)
    found = {
        "Autoconf": autoconf is not None,
        "Meson": meson is not None,
        "new files among the sources": len(files(sources) - before),
    }
    if autoconf is None or meson is None:
        return found

    def of_one_only(listed):
        return sorted(listed(autoconf) ^ listed(meson))

    def programs(prefix):
        return {path.name for path in (prefix / "bin").iterdir()}

    def extensions(prefix):
        return {path.name for path in (prefix / "share").rglob("*.control")}

    def settings(prefix):
        server = lab.create_pg(prefix.name, version=f"path:{prefix}")
        return {name for (name,) in server.sql("SELECT name FROM pg_settings")}

    return found | {
        "programs of one only": of_one_only(programs),
        "extensions of one only": of_one_only(extensions),
        "settings of one only": of_one_only(settings),
    }
