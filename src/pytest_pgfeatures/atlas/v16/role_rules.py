"""The rights of a role with CREATEROLE, and the meaning of INHERIT, from 16 on."""

from pytest_pgfeatures import Row, rows
from pytest_pgfeatures.affects import ParseNode, ProgramCall, RefusedWith


def gives(statement):
    """Return evidence of a statement that gives an attribute to a role."""
    return ParseNode(
        statement,
        options="(createdb|isreplication|bypassrls) on",
        lacks={"options": "(superuser|createrole) on"},
        as_role=True,
        may="if the role that runs it does not have the attribute itself",
    )


rows(
    Row(
        "16.11",
        "inherit-of-each-grant",
        "SELECT pg_has_role('clerk', 'staff', 'USAGE')",
        setup="CREATE ROLE staff; CREATE ROLE clerk INHERIT; GRANT staff TO clerk; ALTER ROLE clerk NOINHERIT",
        before=False,
        after=True,
        title="ALTER ROLE ... NOINHERIT does not change existing memberships",
        remedy="GRANT staff TO clerk WITH INHERIT FALSE for each membership, or REVOKE and GRANT them again.",
        remedied=lambda lab: (
            lab.sql("REVOKE staff FROM clerk; GRANT staff TO clerk")
            or lab.value("SELECT pg_has_role('clerk', 'staff', 'USAGE')")
        ),
        note="A grant takes its INHERIT option from the role at the time of GRANT.",
        affects=ParseNode(
            "AlterRoleStmt", options=r"\binherit\b", may="existing memberships stay as they are"
        ),
    ),
    Row(
        "16.12",
        "createrole-alters-others",
        "ALTER ROLE clerk CREATEDB",
        setup="CREATE ROLE clerk; CREATE ROLE chief LOGIN CREATEROLE; SET LOCAL SESSION AUTHORIZATION chief",
        before=None,
        after="42501",
        title="CREATEROLE can alter only roles with ADMIN OPTION on them, and set only attributes it has",
        remedy="GRANT the roles WITH ADMIN OPTION, and give the administrator the attributes that it gives"
        " to roles.",
        remedied=(
            "RESET SESSION AUTHORIZATION; GRANT clerk TO chief WITH ADMIN OPTION; ALTER ROLE chief CREATEDB;"
            " SET LOCAL SESSION AUTHORIZATION chief; ALTER ROLE clerk CREATEDB"
        ),
        affects=[
            ParseNode(
                *("CreateRoleStmt", "AlterRoleStmt"),
                options="createrole on",
                lacks={"options": "superuser on"},
                may="if the role manages roles on which it has no ADMIN OPTION",
            ),
            gives("AlterRoleStmt"),
            ProgramCall(
                "createuser",
                option=("-r", "--createrole"),
                unless=("-s", "--superuser"),
                may="if the role manages roles on which it has no ADMIN OPTION",
            ),
            RefusedWith("42501", "permission denied to (create|alter|drop|rename|grant) role"),
        ],
    ),
    Row(
        "16.12",
        "createrole-gives-createdb",
        "CREATE ROLE clerk CREATEDB",
        setup="CREATE ROLE chief LOGIN CREATEROLE; SET LOCAL SESSION AUTHORIZATION chief",
        before=None,
        after="42501",
        title="A role with CREATEROLE can't create roles with attributes that it lacks itself",
        remedy="Give the administrator the attributes that it gives to roles: ALTER ROLE chief CREATEDB.",
        remedied=(
            "RESET SESSION AUTHORIZATION; ALTER ROLE chief CREATEDB; SET LOCAL SESSION AUTHORIZATION chief;"
            " CREATE ROLE another_clerk CREATEDB"
        ),
        affects=gives("CreateRoleStmt"),
    ),
    area="privileges",
)
