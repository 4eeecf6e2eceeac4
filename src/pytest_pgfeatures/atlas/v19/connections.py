"""Logins, client programs and foreign servers in 19, seen in 19rc1."""

from pytest_pgfeatures import behavior
from pytest_pgfeatures.affects import AccessRule, ParseNode, SettingUsed


def replace_hba(node, *lines):
    """Replace pg_hba.conf, and have the server reload it.

    Lines for the Unix socket stay as they are, so that the lab can go on.
    """
    rows = ", ".join(f"('{line}')" for line in ("local all all trust", *lines))
    node.sql(f"COPY (VALUES {rows}) TO '{node.cluster.datadir}/pg_hba.conf'")
    node.cluster.reload()


def login(node, role, password):
    """Log in by TCP with a password, and return whether the server logs a warning."""
    since = node.cluster.log.position()
    node.cluster.connect(user=role, password=password).close()
    return node.cluster.log_contains("WARNING", since)


@behavior(
    "19/password-expires-soon",
    release_note="19.1",
    title="A login with a password that expires within seven days gives a warning",
    area="privileges",
    kind="incompatibility",
    manual="runtime-config-connection",
    isolation="transaction",
    expect={"<19": False, ">=19": True},
    remedy="Renew the password, or set password_expiration_warning_threshold = 0.",
    affects=ParseNode(
        "DefElem",
        within=("CreateRoleStmt", "AlterRoleStmt"),
        defname="validUntil",
        arg="^(?!infinity)",
        may="from seven days before that day",
    ),
)
def password_expires_soon(lab):
    node = lab.create_pg("guarded", tcp=True)
    node.sql(f"CREATE ROLE clerk LOGIN PASSWORD 'secret' VALID UNTIL '{tomorrow(node)}'")
    replace_hba(node, "host all all 127.0.0.1/32 md5")
    return login(node, "clerk", "secret")


def tomorrow(node):
    return node.value("SELECT (now() + interval '1 day')::text")


@behavior(
    "19/md5-login-warning",
    release_note="19.2",
    title="A login with an MD5 password gives a warning",
    area="privileges",
    kind="incompatibility",
    manual="auth-password",
    isolation="transaction",
    expect={"<19": False, ">=19": True},
    remedy="Set password_encryption = 'scram-sha-256' and the password again, or md5_password_warnings = off.",
    affects=[
        AccessRule(method="md5", may="if the role's password is stored as an MD5 hash"),
        ParseNode(
            "DefElem", within=("CreateRoleStmt", "AlterRoleStmt"), defname="password", arg="^md5[0-9a-f]{32}$"
        ),
        SettingUsed("password_encryption", value="md5", may="passwords are then stored as MD5 hashes"),
    ],
)
def md5_login_warning(lab):
    node = lab.create_pg("guarded", tcp=True)
    hashed = node.value("SELECT 'md5' || md5('secret' || 'clerk')")
    node.sql(f"CREATE ROLE clerk LOGIN PASSWORD '{hashed}'")
    replace_hba(node, "host all all 127.0.0.1/32 md5")
    return login(node, "clerk", "secret")


@behavior(
    "19/radius",
    release_note="19.3",
    title="The authentication method radius is gone from pg_hba.conf",
    area="privileges",
    kind="incompatibility",
    manual="auth-pg-hba-conf",
    isolation="transaction",
    expect={"<19": "taken", ">=19": "refused"},
    remedy="Use ldap, gss, oauth or scram-sha-256.",
    note="The options radiusservers and radiussecrets were radiusserver and radiussecret up to 9.6.",
    affects=AccessRule(method="radius"),
)
def radius(lab):
    node = lab.create_pg("guarded")
    since = node.cluster.log.position()
    plural = "s" if node.value("SELECT current_setting('server_version_num')::int >= 100000") else ""
    options = f"radiusserver{plural}=127.0.0.1 radiussecret{plural}=secret"
    replace_hba(node, f"host all all 127.0.0.2/32 radius {options}")
    node.session("after the reload").close()  # the postmaster reloads first
    return "refused" if node.cluster.log_contains("was not reloaded", since) else "taken"


@behavior(
    "19/crosstabview-null",
    release_note="19.16",
    title=r"psql's \crosstabview uses \pset null for a NULL at the head of a row or column",
    area="clients",
    manual="app-psql",
    needs=["psql"],
    since="19",
    expect={"all": "NIL|1"},
    note=(
        "The release notes list this for 19. psql 13.23 to 18.6 show NULL in cells, and at the heads of"
        " rows and columns, as 19rc1 does; all leave cells without a row blank."
    ),
)
def crosstabview_null(lab):
    query = "SELECT * FROM (VALUES (NULL, 'x', 1)) AS v (line, col, value)"
    ran = lab.run("psql", "-XAtq", stdin=f"\\pset null NIL\n{query} \\crosstabview\n")
    return ran.output.splitlines()[-1]


WRITES_WHEN_READ = """
    CREATE TABLE written (a int);
    CREATE FUNCTION write() RETURNS int LANGUAGE sql AS 'INSERT INTO public.written VALUES (1) RETURNING 1';
    CREATE VIEW writing AS SELECT write() AS a;
    CREATE EXTENSION postgres_fdw;
    CREATE SERVER itself FOREIGN DATA WRAPPER postgres_fdw
        OPTIONS (host '{host}', port '{port}', dbname '{dbname}');
    CREATE USER MAPPING FOR CURRENT_USER SERVER itself;
    CREATE FOREIGN TABLE far_writing (a int) SERVER itself OPTIONS (table_name 'writing')
"""


@behavior(
    "19/fdw-read-only",
    release_note="19.9",
    title="postgres_fdw's remote transaction is READ ONLY if the local one is",
    area="extensions",
    kind="incompatibility",
    manual="postgres-fdw",
    needs=["contrib:postgres_fdw"],
    expect={"<19": None, ">=19": "25006"},
    remedy="Use BEGIN READ WRITE if the other server must write.",
    remedied="BEGIN READ WRITE; SELECT a FROM far_writing; COMMIT",
    note="Here reading a view of the other server writes.",
    affects=[
        ParseNode(
            "DefElem",
            within=("TransactionStmt", "VariableSetStmt"),
            defname="transaction_read_only",
            arg="1",
            extension="postgres_fdw",
            may="if the transaction writes through foreign tables",
        ),
        SettingUsed(
            "default_transaction_read_only",
            "transaction_read_only",
            value="on|true|yes|1",
            may="if transactions write through foreign tables",
        ),
    ],
)
def fdw_read_only(lab):
    place = {"host": lab.cluster.socket_directory, "port": lab.cluster.port}
    lab.sql(WRITES_WHEN_READ.format(**place, dbname=lab.value("SELECT current_database()")))
    refused = lab.sqlstate("BEGIN READ ONLY; SELECT a FROM far_writing; COMMIT")
    lab.sql("ROLLBACK")
    return refused
