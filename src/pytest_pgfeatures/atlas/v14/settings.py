"""Settings that PostgreSQL 14 removed or restricted, or whose default it changed."""

from pytest_pgfeatures import NotYet, Remedied, Row, rows
from pytest_pgfeatures.affects import Call, Default, ParseNode, RefusedWith, SettingUsed
from pytest_pgfeatures.atlas.patterns import gone_setting

# --- 14.15 Names of settings -------------------------------------------------------------------------------

NO_IDENTIFIER = r"(?=.*\.)(?!([a-z_\x80-\U0010ffff][\w$]*\.)+[a-z_\x80-\U0010ffff][\w$]*['\"]?$).+"
"""A regular expression for names of custom settings that aren't identifiers with dots between them."""
INVALID_NAME = RefusedWith("42602", "invalid configuration parameter name")

rows(
    Row(
        "14.15",
        "set-config-name-hyphen",
        "SELECT set_config('my-app.tenant', 'joe', false)",
        "joe",
        "42602",
        title="set_config() refuses a custom setting whose name isn't an identifier",
        manual="functions-admin#FUNCTIONS-ADMIN-SET",
        remedy="Use letters, digits, _ and $ in the name, with a dot between its two parts.",
        remedied="SELECT set_config('my_app.tenant', 'joe', false)",
        affects=[
            Call("set_config", where={1: f"'{NO_IDENTIFIER}'"}),
            Call("current_setting", where={1: f"'{NO_IDENTIFIER}'"}, may="no session can set it any more"),
        ],
    ),
    Row(
        "14.15",
        "alter-role-set-name-hyphen",
        """ALTER ROLE postgres SET "my-app.tenant" = 'joe'""",
        None,
        "42602",
        title="ALTER ROLE ... SET refuses a custom setting whose name isn't an identifier",
        manual="sql-alterrole",
        remedy="Use letters, digits, _ and $ in the name, with a dot between its two parts.",
        remedied="ALTER ROLE postgres SET my_app.tenant = 'joe'",
        affects=[
            ParseNode("setstmt", within=("AlterRoleSetStmt",), name=f"^{NO_IDENTIFIER}$"),
            INVALID_NAME,
        ],
    ),
    Row(
        "14.15",
        "setting-name-hyphen",
        """SET "my-app.tenant" = 'joe'""",
        None,
        "42602",
        title="SET refuses a custom setting whose name isn't an identifier",
        manual="runtime-config-custom",
        remedy="Use letters, digits, _ and $ in the name, with a dot between its two parts.",
        remedied="SET my_app.tenant = 'joe'",
        affects=[
            SettingUsed(NO_IDENTIFIER, value=".*"),
            INVALID_NAME,
        ],
    ),
    area="settings",
)

# --- 14.16 Passwords ---------------------------------------------------------------------------------------

rows(
    Row(
        "14.16",
        "password-encryption",
        "CREATE ROLE joe PASSWORD 'secret'; SELECT left(rolpassword, 3) FROM pg_authid WHERE rolname = 'joe'",
        "md5",
        "SCR",
        title="password_encryption is scram-sha-256 by default",
        area="roles",
        manual="runtime-config-connection#GUC-PASSWORD-ENCRYPTION",
        remedy="Upgrade drivers that don't support SCRAM; or set md5, and set the passwords again.",
        remedied="""
            SELECT set_config(name, 'md5', true) FROM pg_settings
            WHERE name = 'password_encryption' AND vartype = 'enum';
            CREATE ROLE jill PASSWORD 'secret';
            SELECT left(rolpassword, 3) FROM pg_authid WHERE rolname = 'jill'
        """,
        note="The first characters of the stored password. The method md5 of pg_hba.conf accepts both kinds.",
        affects=Default("password_encryption", may="passwords are stored for SCRAM, which old clients lack"),
    ),
    *(
        Row(
            "14.16",
            f"password-encryption-{value}",
            f"SET password_encryption = '{value}'",
            None,
            "22023",
            title=f"password_encryption can't be {value}",
            area="settings",
            manual="runtime-config-connection#GUC-PASSWORD-ENCRYPTION",
            remedy="Set md5 or scram-sha-256.",
            remedied=Remedied("SET password_encryption = 'md5'", {"<10": NotYet("22023"), ">=10": None}),
            affects=SettingUsed("password_encryption", value=value),
        )
        for value in ("on", "true", "yes", "1")
    ),
)

# --- 14.17, 14.18, 14.x2 Settings --------------------------------------------------------------------------

rows(
    gone_setting(
        "14.17",
        "vacuum_cleanup_index_scale_factor",
        "0.2",
        default="0.1",
        since="11",
        manual="release-14#RELEASE-14-MIGRATION",
        remedy="Delete the line: it has had no effect since 13.3.",
        note="CREATE INDEX ... WITH (vacuum_cleanup_index_scale_factor = 0.2) is still accepted, without effect.",
        affects=[
            SettingUsed("vacuum_cleanup_index_scale_factor"),
            ParseNode(
                "DefElem",
                defname="^vacuum_cleanup_index_scale_factor$",
                may="an index may still have the option, without effect",
            ),
        ],
    ),
    Row(
        "14.17",
        "vacuum-cleanup-index-scale-factor-option",
        "CREATE INDEX ON t (a) WITH (vacuum_cleanup_index_scale_factor = 0.2)",
        expect={"<11": "22023", ">=11": None},
        since="11",
        kind="feature",
        setup="CREATE TABLE t (a int)",
        title="Indexes accept the storage parameter vacuum_cleanup_index_scale_factor, even from 14 on",
        area="settings",
        manual="sql-createindex",
    ),
    gone_setting(
        "14.18",
        "operator_precedence_warning",
        "on",
        default="off",
        since="9.5",
        manual="release-14#RELEASE-14-MIGRATION",
        remedy="Delete the line.",
    ),
    Row(
        "14.x2",
        "checkpoint-completion-target",
        "SHOW checkpoint_completion_target",
        "0.5",
        "0.9",
        kind="default",
        title="The default of checkpoint_completion_target is 0.9",
        area="settings",
        manual="runtime-config-wal#GUC-CHECKPOINT-COMPLETION-TARGET",
        remedy="Set it to 0.5 where you need the old default.",
        affects=Default("checkpoint_completion_target", may="checkpoints are spread more"),
    ),
)
