"""The extensions of an install that contain objects that statements name and the schema does not create."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pgfeatures.server import Cluster

_AVAILABLE = (
    "SELECT name FROM pg_catalog.pg_available_extensions WHERE installed_version IS NULL ORDER BY name"
)
_MEMBERS = """
    SELECT coalesce(c.relname, p.proname, t.typname)
      FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
      LEFT JOIN pg_catalog.pg_class c ON d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND c.oid = d.objid
      LEFT JOIN pg_catalog.pg_proc p ON d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND p.oid = d.objid
      LEFT JOIN pg_catalog.pg_type t ON d.classid = 'pg_catalog.pg_type'::pg_catalog.regclass AND t.oid = d.objid
     WHERE d.deptype = 'e' AND e.extname = %s AND coalesce(c.relname, p.proname, t.typname) IS NOT NULL
"""


def members_of_extensions(cluster: Cluster) -> Mapping[str, str]:
    """The relations, functions and types of each extension that an install has. Each extension is created in
    the database ``postgres``, which has nothing of the application, and rolled back."""
    found: dict[str, str] = {}
    with cluster.connect("postgres", prepare_threshold=None) as connection:
        for (extension,) in connection.execute(_AVAILABLE).fetchall():
            with contextlib.suppress(psycopg.Error), connection.transaction(force_rollback=True):
                name = psycopg.sql.Identifier(extension)
                connection.execute(psycopg.sql.SQL("CREATE EXTENSION {} CASCADE").format(name))
                for (member,) in connection.execute(_MEMBERS, [extension]).fetchall():
                    found.setdefault(member, extension)
    return found
