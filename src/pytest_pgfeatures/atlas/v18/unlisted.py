"""Changes of 18 that its list of incompatibilities leaves out."""

from pytest_pgfeatures import Row, behavior, rows
from pytest_pgfeatures.affects import SettingUsed

rows(
    Row(
        (),
        "log-connections-text",
        "SELECT vartype FROM pg_settings WHERE name = 'log_connections'",
        "bool",
        "string",
        since="18",
        title="log_connections is a list of what to log, not on or off",
        area="settings",
        source="PostgreSQL 18 release notes, Logging",
        manual="runtime-config-logging#GUC-LOG-CONNECTIONS",
        remedy="Read it as text: it is empty where it was off. It still takes on and off.",
        affects=SettingUsed("log_connections", may="if a program reads it as on or off"),
    ),
)


@behavior(
    "18/disabled-nodes",
    title="A node that a setting disables costs what it costs, and is marked as disabled",
    area="performance",
    source="PostgreSQL 18 release notes, Optimizer",
    manual="runtime-config-query#RUNTIME-CONFIG-QUERY-ENABLE",
    kind="incompatibility",
    expect={"<18": "ten billion more", ">=18": "as ever"},
    isolation="transaction",
    remedy="Look for Disabled in the plan, not for costs of 10000000000.",
    affects=SettingUsed(
        like="enable_(seqscan|indexscan|indexonlyscan|bitmapscan|tidscan|sort|hashagg|material|nestloop|mergejoin|hashjoin)",
        value="off|false|no|0",
        may="if a program compares the costs of plans",
    ),
)
def disabled_nodes(lab):
    lab.sql("CREATE TABLE t (a integer)")
    lab.set(enable_seqscan=False)
    plan = lab.explain("SELECT * FROM t", analyze=False)
    return "ten billion more" if plan.root.total_cost > 10**10 else "as ever"
