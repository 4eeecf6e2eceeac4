"""The names of capabilities, and the error for an unknown name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import InstallError

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Feature:
    """An optional part of the server that a build may lack.

    Parameters:
        name: the capability's name.
        library: the library that the server program loads if it has the capability; empty if it shows otherwise.
        meaning: a short description.
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
"""The capabilities that tests need most. In a list, they distinguish a complete install from a bare server."""

CONTRIB_MODULES = frozenset({"auth_delay", "auto_explain", "basic_archive", "passwordcheck", "test_decoding"})
"""Modules of contrib that are loaded without CREATE EXTENSION, and so have no control file
(https://www.postgresql.org/docs/current/contrib.html)."""

# https://www.postgresql.org/docs/current/contrib.html, that page of older majors, and the procedural languages
_EXTENSIONS = frozenset(
    "adminpack amcheck autoinc bloom bool_plperl bool_plperlu btree_gin btree_gist chkpass citext cube dblink "  # noqa: SIM905
    "dict_int dict_xsyn earthdistance file_fdw fuzzystrmatch hstore hstore_plperl hstore_plperlu "
    "hstore_plpython2u hstore_plpython3u hstore_plpythonu insert_username intagg intarray isn jsonb_plperl "
    "jsonb_plperlu jsonb_plpython2u jsonb_plpython3u jsonb_plpythonu lo ltree ltree_plpython2u ltree_plpython3u "
    "ltree_plpythonu moddatetime old_snapshot pageinspect pg_buffercache pg_freespacemap pg_logicalinspect "
    "pg_prewarm pg_stat_statements pg_surgery pg_trgm pg_visibility pg_walinspect pgcrypto pgrowlocks "
    "pgstattuple plperl plperlu plpgsql plpython2u plpython3u plpythonu pltcl pltclu postgres_fdw refint seg "
    "sslinfo tablefunc tcn timetravel tsearch2 tsm_system_rows tsm_system_time unaccent uuid-ossp xml2".split()
)

# https://www.postgresql.org/docs/current/reference-client.html and reference-server.html: those that do not
# begin with pg_, which all count
_PROGRAMS = frozenset(
    "clusterdb createdb createlang createuser dropdb droplang dropuser ecpg initdb oid2name "  # noqa: SIM905
    "pgbench postgres postmaster psql reindexdb vacuumdb vacuumlo".split()
)
# Spelling mistakes are found by these; a newer server's programs count without being listed.
_PG_PROGRAMS = frozenset(
    "amcheck archivecleanup basebackup checksums combinebackup config controldata createsubscriber ctl dump "  # noqa: SIM905
    "dumpall isready receivewal receivexlog recvlogical resetwal resetxlog restore rewind standby test_fsync "
    "test_timing upgrade verifybackup waldump walsummary xlogdump".split()
)

_KNOWN = frozenset(
    {*(feature.name for feature in FEATURES), *_PROGRAMS, *(f"pg_{name}" for name in _PG_PROGRAMS)}
)


def is_program(name: str) -> bool:
    """Whether a file of this name beside ``postgres`` is one of PostgreSQL's programs."""
    return name in _PROGRAMS or name.startswith("pg_")


def as_capability(name: str) -> str:
    """The capability that an extension's name without ``contrib:`` means."""
    return name if name in _KNOWN or name.startswith("contrib:") else f"contrib:{name}"


def unfamiliar(names: Iterable[str]) -> list[str]:
    """The capabilities that only an install can confirm: programs and extensions that are not PostgreSQL's own."""
    contrib = {f"contrib:{name}" for name in _EXTENSIONS | CONTRIB_MODULES}
    return sorted(name for name in names if name not in _KNOWN | contrib)


def unknown(names: Iterable[str]) -> list[str]:
    """The names that are not capabilities: no feature, no program, and no ``contrib:NAME``."""
    return sorted(name for name in names if name not in _KNOWN and not re.fullmatch("contrib:.+", name))


def unknown_error(name: str) -> InstallError:
    """The error for a capability that does not exist."""
    import difflib

    near = difflib.get_close_matches(name.removeprefix("contrib:"), _KNOWN | _EXTENSIONS, n=1)
    features = ", ".join(feature.name for feature in FEATURES)
    return InstallError(
        f"there is no capability {name.removeprefix('contrib:')!r}",
        remedy=(f"did you mean {near[0]!r}? " if near else "")
        + f"Known are {features}, a program's name such as pg_dump, and contrib:NAME for an extension",
    )
