"""The names of capabilities, and what is said of a name that nobody knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import InstallError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pgfeatures.install.inventory import Inventory


@dataclass(frozen=True, slots=True)
class Feature:
    """An optional part of the server that a build may lack.

    Parameters:
        name: of the capability.
        library: what the server program loads when it was built with it; empty where something else tells.
        meaning: in a few words.
    """

    name: str
    library: str
    meaning: str


FEATURES: tuple[Feature, ...] = (
    # https://www.postgresql.org/docs/current/install-make.html#CONFIGURE-OPTIONS-FEATURES
    Feature("icu", "libicui18n", "collations by ICU (10+)"),
    Feature("lz4", "liblz4", "compression by LZ4: TOAST (14+), WAL, backups (15+)"),
    Feature("zstd", "libzstd", "compression by Zstandard: WAL, backups (15+)"),
    Feature("ssl", "libssl", "encrypted connections"),
    Feature("llvm", "", "just-in-time compilation (11+)"),
    Feature("libxml", "libxml2", "the XML functions"),
    Feature("gssapi", "libgssapi_krb5", "authentication by GSSAPI"),
    Feature("ldap", "libldap", "authentication by LDAP"),
    Feature("pgxs", "", "headers and makefiles that extensions are built with"),
)

CLIENT_TOOLS = ("psql", "pg_dump", "pg_basebackup", "pgbench", "pg_recvlogical", "pg_upgrade")
"""Those that tests ask for most, by which a list tells a complete install from a bare server."""

CONTRIB_MODULES = frozenset({"auth_delay", "auto_explain", "basic_archive", "passwordcheck", "test_decoding"})
"""Modules of contrib that are loaded without CREATE EXTENSION, and so have no control file
(https://www.postgresql.org/docs/current/contrib.html)."""

# https://www.postgresql.org/docs/current/reference-client.html and reference-server.html: those that do not
# begin with pg_, which all count
_PROGRAMS = frozenset(
    "clusterdb createdb createlang createuser dropdb droplang dropuser ecpg initdb oid2name "  # noqa: SIM905
    "pgbench postgres postmaster psql reindexdb vacuumdb vacuumlo".split()
)
# A spelling mistake is found by these; a newer server's programs count without being listed.
_PG_PROGRAMS = frozenset(
    "amcheck archivecleanup basebackup checksums combinebackup config controldata createsubscriber ctl dump "  # noqa: SIM905
    "dumpall isready receivewal receivexlog recvlogical resetwal resetxlog restore rewind standby test_fsync "
    "test_timing upgrade verifybackup waldump walsummary xlogdump".split()
)


def is_program(name: str) -> bool:
    """Whether a file of this name beside ``postgres`` is one of PostgreSQL's programs."""
    return name in _PROGRAMS or name.startswith("pg_")


def check_known(needed: Iterable[str], inventory: Inventory) -> None:
    """Make sure that each name is a capability: a feature, a program, or ``contrib:NAME`` with any name.

    Raises:
        InstallError: one is none of these, and no install at hand has such a program.
    """
    known = {*(feature.name for feature in FEATURES), *_PROGRAMS, *(f"pg_{name}" for name in _PG_PROGRAMS)}
    for name in sorted(needed):
        if name in known or (name.startswith("contrib:") and name != "contrib:"):
            continue
        if any(install.has(name) for install in inventory.at_hand()):
            continue
        raise InstallError(f"there is no capability {name!r}", remedy=_suggestion(name, known))


def _suggestion(name: str, known: set[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name, known, n=1)
    features = ", ".join(feature.name for feature in FEATURES)
    return (f"did you mean {near[0]!r}? " if near else "") + (
        f"Known are {features}, a program's name such as pg_dump, and contrib:NAME for an extension"
    )
