"""Authentication in PostgreSQL 10: passwords, pg_hba.conf, TLS, old protocols."""

from pytest_pgfeatures import NotYet, Remedied, Row, VersionSet, behavior, rows
from pytest_pgfeatures.affects import AccessRule, ProgramCall, RefusedWith, ScriptText, SettingUsed, Unseen
from pytest_pgfeatures.atlas.protocol import startup_answer
from pytest_pgfeatures.atlas.tls import DH_3072, give, handshake, server_with_tls

# --- 10.16 Passwords in plain text -------------------------------------------------------------------------

rows(
    Row(
        "10.16",
        "password-encryption-off",
        "SET password_encryption = off",
        None,
        "22023",
        title="password_encryption can't be off: no password is stored in plain text",
        area="settings",
        manual="runtime-config-connection#GUC-PASSWORD-ENCRYPTION",
        remedy="Set md5 or scram-sha-256.",
        remedied=Remedied(
            "SET password_encryption = 'scram-sha-256'", {"<10": NotYet("22023"), ">=10": None}
        ),
        affects=SettingUsed("password_encryption", value="off|plain|false|no|0"),
    ),
    Row(
        "10.16",
        "unencrypted-password",
        "CREATE ROLE joe UNENCRYPTED PASSWORD 'secret'",
        None,
        "0A000",
        title="CREATE ROLE has no UNENCRYPTED PASSWORD",
        area="roles",
        manual="sql-createrole",
        remedy="Leave out UNENCRYPTED.",
        remedied="CREATE ROLE jill PASSWORD 'secret'",
        affects=[
            RefusedWith("0A000", "UNENCRYPTED PASSWORD"),
            ProgramCall("createuser", option=("-N", "--unencrypted")),
        ],
    ),
    Row(
        "10.16",
        "alter-role-unencrypted",
        "ALTER ROLE postgres UNENCRYPTED PASSWORD 'secret'",
        None,
        "0A000",
        title="ALTER ROLE has no UNENCRYPTED PASSWORD",
        area="roles",
        manual="sql-alterrole",
        remedy="Leave out UNENCRYPTED.",
        remedied="ALTER ROLE postgres PASSWORD 'secret'",
    ),
)

# --- 10.11 Logical replication in pg_hba.conf --------------------------------------------------------------


@behavior(
    "10/hba-logical-replication",
    title="The word replication in pg_hba.conf doesn't match logical replication connections",
    area="replication",
    release_note="10.11",
    kind="incompatibility",
    manual="auth-pg-hba-conf",
    isolation="cluster",
    settings={"wal_level": "logical"},
    since="10",
    expect={
        "<9.4": NotYet({"physical": "accepted", "logical": "refused"}),
        "9.4..9.6": {"physical": "accepted", "logical": "accepted"},
        ">=10": {"physical": "accepted", "logical": "refused"},
    },
    remedy="Add lines with the database's name, or with all, for the roles that decode or subscribe.",
    remedied=Remedied(
        lambda lab: replicating(lab, "local all repl trust"),
        {
            "<9.4": NotYet({"physical": "accepted", "logical": "refused"}),
            ">=9.4": {"physical": "accepted", "logical": "accepted"},
        },
    ),
    note="The role has only a line with the word replication. Logical decoding came with 9.4.",
    affects=AccessRule(database="replication", may="if clients of logical replication connect by it"),
)
def hba_logical_replication(lab):
    lab.sql("CREATE ROLE repl LOGIN REPLICATION")
    return replicating(lab)


def replicating(lab, *lines):
    """Connect as a replication role. pg_hba.conf has a line with the word replication, and these ``lines``."""
    lines = ("local all postgres trust", "local replication repl trust", *lines)
    (lab.cluster.datadir / "pg_hba.conf").write_text("\n".join(lines) + "\n")
    lab.restart()
    return {
        kind: startup_answer(lab, 3, user="repl", replication=value)
        for kind, value in (("physical", "true"), ("logical", "database"))
    }


# --- 10.14, 10.15 Parameters of Diffie-Hellman -------------------------------------------------------------

DHE = "DHE-RSA-AES256-GCM-SHA384"


@behavior(
    "10/dh-2048-bits",
    title="The built-in parameters of Diffie-Hellman have 2048 bits, which old clients refuse",
    area="connections",
    release_note="10.15",
    kind="incompatibility",
    manual="runtime-config-connection#GUC-SSL-DH-PARAMS-FILE",
    isolation="transaction",
    needs=["ssl"],
    expect={"<10": "DH_KEY_TOO_SMALL", ">=10": "accepted"},
    remedy="Upgrade clients such as Java 6, or set ssl_dh_params_file to a file with smaller parameters.",
    note="The answer of a client that requires at least 2048 bits. No client was found that can't use 2048 bits.",
    affects=Unseen("it depends on the TLS library of clients"),
)
def dh_2048_bits(lab):
    return handshake(server_with_tls(lab), ciphers=DHE, level=2)


def with_dh1024(lab, *, named=False):
    """Connect a client that requires 3072 bits to a server whose file dh1024.pem has such parameters."""
    settings = {}
    if named and lab.version in VersionSet(">=10"):
        file = give(lab.cluster, lab.cluster.datadir.with_name("dh1024.pem"), DH_3072)
        settings["ssl_dh_params_file"] = str(file)
    node = server_with_tls(lab, **settings)
    if not settings:
        give(node.cluster, node.cluster.datadir / "dh1024.pem", DH_3072)
        node.cluster.reload()
    return handshake(node, ciphers=DHE, level=3)


@behavior(
    "10/dh1024-file",
    title="The file dh1024.pem is not read any more",
    area="connections",
    release_note="10.14",
    kind="incompatibility",
    manual="runtime-config-connection#GUC-SSL-DH-PARAMS-FILE",
    isolation="transaction",
    needs=["ssl"],
    expect={"<10": "accepted", ">=10": "DH_KEY_TOO_SMALL"},
    remedy="Name the file in ssl_dh_params_file.",
    remedied=Remedied(lambda lab: with_dh1024(lab, named=True), {"all": "accepted"}),
    note="The client requires 3072 bits, which only the parameters in the file have.",
    affects=ScriptText(r"\bdh1024\.pem\b"),
)
def dh1024_file(lab):
    return with_dh1024(lab)


# --- 10.24 The protocol of 6.3 -----------------------------------------------------------------------------


@behavior(
    "10/protocol-1",
    title="Clients that speak version 1 of the protocol are refused",
    area="connections",
    release_note="10.24",
    kind="incompatibility",
    manual="protocol",
    isolation="transaction",
    expect={"<10": "accepted", ">=10": "refused"},
    remedy="Replace clients of PostgreSQL 6.3 and older.",
    affects=Unseen("no input shows which protocol version a client uses"),
)
def protocol_1(lab):
    return startup_answer(lab, 1)
