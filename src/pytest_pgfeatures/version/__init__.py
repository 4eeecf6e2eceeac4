"""PostgreSQL versions: majors, releases, and sets of releases.

>>> release = PgVersion("16.2")
>>> release.major, release.minor, release.num
(PgMajor('16'), 2, 160002)
>>> release.major >= PgMajor("15")
True
>>> release in VersionSet("14..16")
True
>>> [str(major) for major in VersionSet(">=17").majors()]
['17', '18', '19']

Up to 9.6 the first two numbers name a major; from 10 on the first one does
(https://www.postgresql.org/support/versioning/).
"""

from __future__ import annotations

from pytest_pgfeatures.version.release import MAJORS, PgMajor, PgVersion, as_release, read_version
from pytest_pgfeatures.version.sets import VersionSet

__all__ = ["MAJORS", "PgMajor", "PgVersion", "VersionSet", "as_release", "read_version"]
