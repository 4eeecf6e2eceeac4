"""Settings that PostgreSQL 10 removed or changed."""

from pytest_pgfeatures import NotYet, Remedied, Row, behavior, rows
from pytest_pgfeatures.affects import Default, ScriptText, SettingUsed
from pytest_pgfeatures.atlas.patterns import gone_setting

rows(
    gone_setting(
        "10.17",
        "min_parallel_relation_size",
        "16MB",
        default="8MB",
        since="9.6",
        title="The setting min_parallel_relation_size is split into one for tables, one for indexes",
        manual="runtime-config-query#GUC-MIN-PARALLEL-TABLE-SCAN-SIZE",
        remedy="Set min_parallel_table_scan_size and min_parallel_index_scan_size.",
        remedied=Remedied("SHOW min_parallel_table_scan_size", {"<10": NotYet("42704"), ">=10": "8MB"}),
    ),
    gone_setting(
        "10.19",
        "sql_inheritance",
        "off",
        default="on",
        title="The setting sql_inheritance is gone: queries of a parent always include its children",
        remedy="Write ONLY before the table's name.",
        remedied=Remedied(
            """
            CREATE TABLE parent (id int);
            CREATE TABLE child () INHERITS (parent);
            INSERT INTO child VALUES (1);
            SELECT count(*) FROM ONLY parent
            """,
            {"all": 0},
        ),
    ),
    Row(
        "10.13",
        "log-directory",
        "SHOW log_directory",
        "pg_log",
        "log",
        kind="default",
        title="The default of log_directory is log",
        area="settings",
        manual="runtime-config-logging#GUC-LOG-DIRECTORY",
        remedy="Set log_directory to pg_log, or look for the files in log.",
        affects=[
            Default("log_directory", may="logs are in the directory log"),
            ScriptText(r"\bpg_log\b(?!/?\.)", default="log_directory", may="log_directory is log by default"),
        ],
    ),
)


@behavior(
    "10/preload-library-case",
    title="Names in session_preload_libraries are no longer folded to lower case",
    area="settings",
    release_note="10.18",
    kind="incompatibility",
    manual="runtime-config-client#RUNTIME-CONFIG-CLIENT-PRELOAD",
    isolation="cluster",
    needs=["contrib:auto_explain"],
    expect={"<10": None, ">=10": 'could not access file "Auto_Explain": No such file or directory'},
    remedy="Write the library's name in the case of its file's name.",
    remedied=lambda lab: login_with(lab, "auto_explain"),
    note="A login's error. 9.3 has no session_preload_libraries; shared_preload_libraries is read the same way.",
    affects=SettingUsed(
        "shared_preload_libraries",
        "local_preload_libraries",
        "session_preload_libraries",
        value=r"(?-i:[^\"]*[A-Z].*)",
    ),
)
def preload_library_case(lab):
    return login_with(lab, "Auto_Explain")


def login_with(lab, library):
    lab.cluster.append_conf(f"session_preload_libraries = '{library}'")
    lab.cluster.reload()
    return lab.refusal()
