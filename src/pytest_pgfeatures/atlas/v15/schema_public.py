"""The owner of the schema public, and the right to create in it, in databases of 15 and later."""

from functools import partial

from pytest_pgfeatures import Row, rows
from pytest_pgfeatures.affects import ParseNode, RefusedWith

GRANTED = ParseNode(
    "GrantStmt", objtype="SCHEMA", objects=r"\bpublic\b", lacks={"privileges": "^AccessPriv usage$"}
)
NO_SUPERUSER = r"ROLESPEC_CSTRING (?!postgres\b|pg_)"
"""A role that is probably no superuser."""
CREATED = partial(
    ParseNode,
    as_role=True,
    absent=(GRANTED,),
    first=True,
    may="in a new database, if the role may not create objects in public",
)
"""An object that another role creates in public."""
OWNER = partial(
    ParseNode,
    absent=(GRANTED,),
    first=True,
    may="in a new database, if this role is to create more objects in public",
)
"""A role that becomes the owner of an object in public."""
OUTSIDER = "CREATE ROLE visitor; SET LOCAL SESSION AUTHORIZATION visitor"

OWNED = "in a new database, where pg_database_owner owns it"

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
            CREATED(
                *("relation", "view", "sequence", "rel"),
                within=("CreateStmt", "ViewStmt", "CreateSeqStmt", "CreateTableAsStmt"),
                schemaname="^public$",
            ),
            CREATED("CreateFunctionStmt", funcname="^public "),
            OWNER("AlterTableStmt", relation=r"^public \.", cmds=rf"AT_ChangeOwner {NO_SUPERUSER}"),
            OWNER("AlterOwnerStmt", object="^(ObjectWithArgs )?public ", newowner=f"^{NO_SUPERUSER}"),
            ParseNode(
                "GrantStmt",
                is_grant="true",
                objtype="DATABASE",
                lacks={"privileges": "^((AccessPriv )?(connect|temp|temporary) ?)+$"},
                absent=(
                    GRANTED,
                    ParseNode("CreatedbStmt", options=r"\bowner\b"),
                    ParseNode("AlterOwnerStmt", objectType="DATABASE"),
                    ParseNode("CreateSchemaStmt", authrole="."),
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
            ParseNode("AlterOwnerStmt", objectType="SCHEMA", object="^public$", may=OWNED),
            ParseNode("RenameStmt", renameType="SCHEMA", subname="^public$", may=OWNED),
            ParseNode("DropStmt", removeType="SCHEMA", objects=r"\bpublic\b", may=OWNED),
            ParseNode("SelectStmt", whereClause="'public'", targetList="nspowner", may=OWNED),
            ParseNode("SelectStmt", whereClause="'public'", fromClause="nspowner", may=OWNED),
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
            ParseNode(
                "GrantRoleStmt",
                granted_roles="<session-role>",
                is_grant="true",
                may="if this role runs the statement itself",
            ),
            RefusedWith("42501", "must have admin option on role|permission denied to grant role"),
        ],
    ),
    area="privileges",
)
