"""The owner of the schema public, and the right to create in it, in databases of 15 and later."""

from pytest_pgfeatures import Row, rows
from pytest_pgfeatures.affects import RefusedWith, Sql

GRANTED = "GRANT|REVOKE ... ALL|CREATE ... ON SCHEMA ... public"
NO_SUPERUSER = r"(?!(postgres|current_user|session_user|current_role|pg_\w+)$).*"
"""A role that is probably no superuser."""
OUTSIDER = "CREATE ROLE visitor; SET LOCAL SESSION AUTHORIZATION visitor"

rows(
    Row(
        "15.1",
        "create-in-public",
        "CREATE TABLE public.notes (text text)",
        setup=OUTSIDER,
        before=None,
        after="42501",
        title="Only the owner of the schema public may create objects in it",
        remedy="GRANT CREATE ON SCHEMA public TO the role, or give each role a schema of its own.",
        remedied=(
            "RESET SESSION AUTHORIZATION; GRANT CREATE ON SCHEMA public TO visitor;"
            " SET LOCAL SESSION AUTHORIZATION visitor; CREATE TABLE public.more_notes (text text)"
        ),
        note="pg_upgrade and restored dumps keep the grants of the old database.",
        affects=[
            Sql(
                "^ CREATE ...!AS|ON {public} .",
                present="SET ROLE|SESSION",
                absent=GRANTED,
                first=True,
                may="in a new database, if the role may not create objects in public",
            ),
            Sql(
                "^ ALTER TABLE|VIEW|SEQUENCE|FUNCTION|TYPE ... public . ... {OWNER} TO <role>",
                tokens={"role": NO_SUPERUSER},
                absent=GRANTED,
                first=True,
                may="in a new database, if this role is to create more objects in public",
            ),
            Sql(
                "^ GRANT ALL|CREATE ... ON {DATABASE} <name> TO",
                absent=(
                    GRANTED,
                    "CREATE DATABASE <name> ... OWNER",
                    "ALTER DATABASE <name> OWNER",
                    "CREATE SCHEMA ... AUTHORIZATION",
                ),
                first=True,
                may="up to 14 the role could create objects in public",
            ),
            RefusedWith("42501", "permission denied for schema public"),
        ],
    ),
    Row(
        "15.2",
        "owner-of-public",
        "SELECT rolname::text FROM pg_namespace JOIN pg_roles ON nspowner = pg_roles.oid WHERE nspname = 'public'",
        before="postgres",
        after="pg_database_owner",
        title="The schema public belongs to pg_database_owner",
        remedy="Expect the role pg_database_owner where a script checks the owner.",
        note="The only member of pg_database_owner is the database's owner, who can therefore alter and"
        " drop the schema.",
        affects=[
            Sql(
                "^ ALTER|DROP SCHEMA [ IF EXISTS ] {public}",
                may="in a new database, where pg_database_owner owns it",
            ),
            Sql(
                "{nspowner}",
                also="<string:name>",
                tokens={"name": "public"},
                may="in a new database, where pg_database_owner owns it",
            ),
        ],
    ),
    Row(
        "15.17",
        "grant-own-role",
        "GRANT clerk TO helper",
        setup="CREATE ROLE clerk LOGIN; CREATE ROLE helper; SET LOCAL SESSION AUTHORIZATION clerk",
        before=None,
        after="42501",
        title="A role may not grant membership in itself",
        remedy="Have a superuser or a role with ADMIN OPTION run the GRANT.",
        remedied="RESET SESSION AUTHORIZATION; GRANT clerk TO helper",
        affects=[
            Sql("^ GRANT {<session-role>} TO", may="if this role runs the statement itself"),
            RefusedWith("42501", "must have admin option on role|permission denied to grant role"),
        ],
    ),
    area="privileges",
)
