"""Changes of 12 that its list of incompatibilities leaves out."""

from pytest_pgfeatures import behavior
from pytest_pgfeatures.affects import Sql


@behavior(
    "12/cte-inlined",
    title="A query in WITH that is used once is planned with the query around it",
    area="performance",
    source="PostgreSQL 12 release notes, Optimizer",
    manual="queries-with#QUERIES-WITH-CTE-MATERIALIZATION",
    kind="incompatibility",
    expect={"<12": "CTE Scan", ">=12": "Seq Scan"},
    isolation="transaction",
    remedy="Write AS MATERIALIZED where WITH has to keep the planner out.",
    affects=Sql(
        "{WITH} <word> [ <group> ] AS ( SELECT",
        may="if the query in it has to be planned alone, or must run even where its rows are not needed",
    ),
)
def cte_inlined(lab):
    lab.sql("CREATE TABLE t (a integer)")
    return lab.explain("WITH w AS (SELECT * FROM t) SELECT * FROM w WHERE a = 1", analyze=False).root.type
