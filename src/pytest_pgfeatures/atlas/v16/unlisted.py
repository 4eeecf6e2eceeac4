"""Changes of 16 that the release notes don't list as incompatibilities."""

from pytest_pgfeatures import NotYet, Row, behavior, rows
from pytest_pgfeatures.affects import Call, ParseNode, ProgramCall, RefusedWith, SettingUsed
from pytest_pgfeatures.atlas.patterns import UPGRADES, statements_as_one, upgradable_after

GRANTED_BY_CHIEF = """
    CREATE ROLE staff; CREATE ROLE chief; CREATE ROLE clerk; GRANT staff TO chief WITH ADMIN OPTION;
    SET LOCAL SESSION AUTHORIZATION chief; GRANT staff TO clerk; RESET SESSION AUTHORIZATION
"""
"""Statements that create a role that has granted a membership by its ADMIN OPTION."""

TO_REG = (
    *("to_regclass", "to_regproc", "to_regprocedure", "to_regoper", "to_regoperator", "to_regtype"),
    *("to_regrole", "to_regnamespace", "to_regcollation"),
)

WELL_FORMED = r"[a-z_]\w*"
"""A regular expression for a name without quotes."""
ADMINISTRATORS = ParseNode("DefElem", defname="^(createrole|admin.*)$")
"""Roles that could grant memberships."""

rows(
    Row(
        (),
        "viewdef-without-relation",
        "SELECT pg_get_viewdef('v'::regclass) LIKE '% a.oid%'",
        True,
        False,
        since="16",
        setup="CREATE VIEW v AS SELECT a.oid FROM pg_class a",
        title="The definition of a view on a single relation does not qualify its columns",
        area="catalogs",
        source="PostgreSQL 16 release notes, System Views",
        manual="functions-info#FUNCTIONS-INFO-CATALOG",
        remedy="Compare only definitions of the same version.",
        affects=Call("pg_get_viewdef", may="if its text is compared"),
    ),
)


@behavior(
    "16/aclitem-upgrade",
    title="pg_upgrade refuses a server that has columns of type aclitem",
    area="upgrade",
    source="PostgreSQL 16 release notes, Privileges",
    manual="pgupgrade",
    kind="incompatibility",
    isolation="cluster",
    needs=UPGRADES,
    expect={"<16": False, ">=16": True},
    remedy="Drop columns of type aclitem before the upgrade, or change their type to text.",
    note="An aclitem takes 16 bytes since 16, not 12.",
    affects=ParseNode("ColumnDef", typeName=r"\baclitem\b"),
)
def aclitem_upgrade(lab):
    return upgradable_after(lab, "16", "CREATE TABLE t (a aclitem)")


@behavior(
    "16/backend-ids",
    title="A session keeps its number in pg_stat_get_backend_idset(); the numbers have gaps",
    area="monitoring",
    source="PostgreSQL 16 release notes, Monitoring",
    manual="monitoring-stats#MONITORING-STATS-BACKEND-FUNCS-TABLE",
    kind="incompatibility",
    isolation="cluster",
    expect={"<16": "another number", ">=16": "the same number"},
    remedy="Take the numbers from pg_stat_get_backend_idset(), in any order, or read pg_stat_activity.",
    affects=ParseNode(
        "FuncCall",
        funcname="pg_stat_get_backend_(pid|activity|dbid|userid)$",
        unless=ParseNode("FuncCall", funcname="pg_stat_get_backend_idset$"),
        may="if it counts from 1, or keeps a number",
    ),
)
def backend_ids(lab):
    first, second = lab.session("first"), lab.session("second")
    gone, pid = (session.value("SELECT pg_backend_pid()") for session in (first, second))
    number = f"SELECT id FROM pg_stat_get_backend_idset() id WHERE pg_stat_get_backend_pid(id) = {pid}"
    before = lab.value(number)
    first.close()
    lab.poll_query_until(f"SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = {gone}")
    return "the same number" if lab.value(number) == before else "another number"


rows(
    Row(
        (),
        "numeric-power-near-zero",
        "SELECT power(0.5::numeric, 1000) = 0",
        True,
        False,
        since="16",
        title="power() of numeric returns results near zero with their digits, not as 0",
        area="functions",
        source="PostgreSQL 16 release notes, Functions",
        manual="functions-math",
        remedy="Round the result if fewer digits are enough: round(power(a, b), 16).",
        remedied="SELECT round(power(0.5::numeric, 1000), 16) = 0",
        affects=[
            Call("power", "pow", args=2, types={one: ("numeric", None)}, may="if the result is below 10^-16")
            for one in (1, 2)
        ],
    ),
)


rows(
    Row(
        (),
        "role-that-granted",
        "DROP ROLE chief",
        None,
        "2BP01",
        since="16",
        setup=GRANTED_BY_CHIEF,
        title="A role that granted a membership can't be dropped until the grant is revoked",
        remedy="Run DROP OWNED BY for the role first, or REVOKE its grants.",
        remedied="""
            CREATE ROLE other; GRANT staff TO other WITH ADMIN OPTION;
            SET LOCAL SESSION AUTHORIZATION other; GRANT staff TO clerk; RESET SESSION AUTHORIZATION;
            DROP OWNED BY other; DROP ROLE other
        """,
        affects=[
            RefusedWith("2BP01", "role .* cannot be dropped"),
            ParseNode(
                "DropRoleStmt",
                present=ADMINISTRATORS,
                may="if the role has granted a membership in another role",
            ),
        ],
    ),
    Row(
        (),
        "membership-that-granted",
        "REVOKE staff FROM chief",
        None,
        "2BP01",
        since="16",
        setup=GRANTED_BY_CHIEF,
        title="ADMIN OPTION can't be revoked without CASCADE from a role that granted by it",
        remedy="Write REVOKE ... CASCADE, which revokes those grants, too.",
        remedied="REVOKE staff FROM chief CASCADE",
        affects=[
            RefusedWith("2BP01", "dependent privileges exist"),
            ParseNode(
                "GrantRoleStmt",
                lacks={"is_grant": "true", "behavior": "CASCADE"},
                present=ADMINISTRATORS,
                may="if the role has granted the membership to others by its ADMIN OPTION",
            ),
        ],
    ),
    Row(
        (),
        "membership-of-each-grantor",
        "SELECT pg_has_role('clerk', 'staff', 'MEMBER')",
        False,
        True,
        since="16",
        setup=f"{GRANTED_BY_CHIEF}; REVOKE staff FROM clerk",
        title="REVOKE removes one grantor's grant: a membership that another role granted stays",
        remedy="Run REVOKE ... GRANTED BY for each role in pg_auth_members.grantor.",
        affects=ParseNode(
            "GrantRoleStmt",
            lacks={"is_grant": "true", "grantor": "."},
            present=ADMINISTRATORS,
            may="a membership that other roles granted stays",
        ),
    ),
    Row(
        (),
        "granted-by-without-admin",
        "GRANT staff TO clerk GRANTED BY chief",
        None,
        "42501",
        since="16",
        setup="CREATE ROLE staff; CREATE ROLE chief; CREATE ROLE clerk",
        title="GRANT ... GRANTED BY must name a role with ADMIN OPTION, even if a superuser runs it",
        remedy="First GRANT the role to the grantor WITH ADMIN OPTION, or leave GRANTED BY out.",
        remedied="GRANT staff TO chief WITH ADMIN OPTION; GRANT staff TO clerk GRANTED BY chief",
        note="This affects pg_dumpall's statements, too, from servers where the grantor has lost its ADMIN"
        " OPTION.",
        affects=[
            RefusedWith("42501", "permission denied to grant privileges as role"),
            ParseNode(
                "GrantRoleStmt",
                is_grant="true",
                grantor=".",
                may="if that role has no ADMIN OPTION",
            ),
        ],
    ),
    Row(
        (),
        "bootstrap-superuser",
        """
        DO $$ BEGIN
            EXECUTE (SELECT format('ALTER ROLE %I NOSUPERUSER', rolname) FROM pg_roles WHERE oid = 10);
        END $$
        """,
        None,
        "0A000",
        since="16",
        title="The superuser that initdb created can't lose SUPERUSER",
        remedy="Take LOGIN from it: ALTER ROLE postgres NOLOGIN.",
        affects=[
            RefusedWith("0A000", "permission denied to alter role"),
            ParseNode(
                "AlterRoleStmt", role="postgres$", options="superuser off", may="if initdb created that role"
            ),
        ],
    ),
    Row(
        (),
        "default-privileges-of-another",
        "ALTER DEFAULT PRIVILEGES FOR ROLE staff GRANT SELECT ON TABLES TO PUBLIC",
        None,
        "42501",
        since="16",
        setup="""
            CREATE ROLE staff; CREATE ROLE clerk NOINHERIT; GRANT staff TO clerk;
            SET LOCAL SESSION AUTHORIZATION clerk
        """,
        title="ALTER DEFAULT PRIVILEGES FOR ROLE needs a membership with INHERIT",
        remedy="SET ROLE before it, or GRANT the role WITH INHERIT TRUE.",
        remedied="SET LOCAL ROLE staff; ALTER DEFAULT PRIVILEGES FOR ROLE staff GRANT SELECT ON TABLES TO PUBLIC",
        affects=[
            RefusedWith("42501", "permission denied to change default privileges"),
            ParseNode(
                "AlterDefaultPrivilegesStmt",
                options=r"\broles\b",
                present=ParseNode("DefElem", defname="^inherit$", arg="off"),
                may="if a role whose membership lacks INHERIT runs it",
            ),
        ],
    ),
    area="privileges",
    source="PostgreSQL 16 release notes, Privileges",
    manual="role-membership",
)

rows(
    Row(
        (),
        "reset-transaction-isolation",
        "RESET transaction_isolation",
        None,
        "0A000",
        since="16",
        title="RESET refuses transaction settings, such as transaction_isolation",
        area="settings",
        source="PostgreSQL 16 release notes, Server Configuration",
        manual="sql-reset",
        remedy="Use SET TRANSACTION ISOLATION LEVEL READ COMMITTED.",
        remedied="SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
        affects=[
            ParseNode(
                "VariableSetStmt", kind="VAR_RESET", name="^transaction_(isolation|read_only|deferrable)$"
            ),
        ],
    ),
    Row(
        (),
        "headline-of-phrase",
        "SELECT ts_headline('english', 'Lorem ipsum urna.  Nullam nullam ullamcorper urna.',"
        " phraseto_tsquery('english', 'ullamcorper urna'), 'MaxWords=100, MinWords=1')",
        expect={
            "<9.6": NotYet("42883"),
            "9.6..15": "<b>urna</b>.  Nullam nullam <b>ullamcorper</b> <b>urna</b>",
            ">=16": "<b>ullamcorper</b> <b>urna</b>",
        },
        since="16",
        title="ts_headline() shows the text around a phrase, or the words after OR or NOT",
        area="text search",
        source="PostgreSQL 16 release notes, Functions",
        manual="textsearch-controls#TEXTSEARCH-HEADLINE",
        remedy="Don't compare headlines of different versions.",
        affects=Call(
            "ts_headline", may="of queries with phrases, | or !: it may show another part of the text"
        ),
    ),
)


rows(
    statements_as_one(
        "16",
        "statements-of-utilities",
        "EXPLAIN (COSTS OFF) SELECT 1 AS counted",
        "EXPLAIN (COSTS OFF) SELECT 2 AS counted",
        like="EXPLAIN%counted",
        what="constants in utility statements",
    ),
)


rows(
    Row(
        (),
        "to-regclass-malformed",
        "SELECT to_regclass('a b')::text",
        expect={"<9.4": NotYet("42883"), "9.4..15": "42602", ">=16": None},
        since="16",
        title="to_regclass() and similar functions return NULL for a malformed name, not an error",
        remedy="Test for NULL, or cast to regclass, which refuses such a name.",
        affects=Call(
            *TO_REG,
            where={1: rf"(?!'{WELL_FORMED}([.]{WELL_FORMED})?'$).*"},
            may="if the name is malformed and an error is expected",
        ),
    ),
    Row(
        (),
        "to-regclass-number",
        "SELECT to_regclass('1259')::text",
        expect={"<9.4": NotYet("42883"), "9.4..15": None, ">=16": "pg_class"},
        since="16",
        title="to_regclass() and similar functions take a number as the OID of an object",
        remedy="Reject names that are numbers before the call, or write them in double quotes.",
        affects=Call(
            *TO_REG,
            where={1: "'[0-9]*'|[^'].*"},
            may="if the name may be a number: it is an OID then",
        ),
    ),
    area="functions",
    source="PostgreSQL 16 release notes, Functions",
    manual="functions-info#FUNCTIONS-INFO-CATALOG-TABLE",
)


@behavior(
    "16/auto-explain-parameters",
    title="auto_explain logs the values of parameters",
    area="extensions",
    source="PostgreSQL 16 release notes, Additional Modules",
    manual="auto-explain#AUTO-EXPLAIN-CONFIGURATION-PARAMETERS-LOG-PARAMETER-MAX-LENGTH",
    kind="incompatibility",
    isolation="cluster",
    needs=["contrib:auto_explain"],
    expect={"<16": False, ">=16": True},
    remedy="Set auto_explain.log_parameter_max_length = 0 if the log must not contain them.",
    remedied=lambda lab: logs_parameter(lab, "SET auto_explain.log_parameter_max_length = 0"),
    affects=SettingUsed(
        "auto_explain.log_min_duration",
        value=r"(?!-1$).*",
        may="values of parameters, such as passwords, are in the log, too",
    ),
)
def auto_explain_parameters(lab):
    return logs_parameter(lab)


def logs_parameter(lab, setting=None):
    since = lab.cluster.log.position()
    lab.sql("LOAD 'auto_explain'")
    lab.sql("SET auto_explain.log_min_duration = 0")
    if setting:
        lab.sqlstate(setting)  # 15 refuses a setting that the library does not define
    lab.sql("DEALLOCATE ALL")
    lab.sql("PREPARE shown(text) AS SELECT $1")
    lab.sql("EXECUTE shown('secret')")
    lab.cluster.wait_for_log("PREPARE shown", since)
    return lab.cluster.log_contains("Query Parameters: .*secret", since)


rows(
    Row(
        (),
        "postgres-n",
        lambda lab: (
            lab.run_server_program("postgres", "-n", "-D", lab.cluster.datadir, "-C", "data_directory").status
            == 0
        ),
        before=True,
        after=False,
        since="16",
        isolation="transaction",
        title="The program postgres has no option -n",
        area="programs",
        source="PostgreSQL 16 release notes, Server Configuration",
        manual="app-postgres",
        remedy="Leave it out: it did nothing.",
        affects=ProgramCall("postgres", "postmaster", option="-n"),
    ),
)
