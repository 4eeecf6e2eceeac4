"""The wait event of a process that needs exclusive access to a page, renamed in 19."""

from pytest_pgfeatures import NotYet, behavior
from pytest_pgfeatures.affects import Column

WAITING = "FROM pg_stat_activity WHERE query LIKE 'VACUUM%' AND wait_event_type LIKE 'Buffer%'"


@behavior(
    "19/wait-event-type-buffer",
    title="The wait event type BufferPin is renamed to Buffer",
    area="monitoring",
    release_note="19.13",
    kind="incompatibility",
    manual="monitoring-stats#WAIT-EVENT-TABLE",
    isolation="cluster",
    settings={"autovacuum": "off"},
    since="19",
    expect={
        "<9.6": NotYet("42703"),
        "9.6..18": ["BufferPin", "BufferPin"],
        ">=19": ["Buffer", "BufferCleanup"],
    },
    remedy="Look for both names in wait_event_type.",
    note="VACUUM waits here while a cursor is on a row of the page. The event is renamed, too.",
    affects=Column("pg_stat_activity", "wait_event_type", "wait_event", value="BufferPin"),
)
def wait_event_type_buffer(lab):
    from concurrent.futures import ThreadPoolExecutor

    if refused := lab.sqlstate(f"SELECT 1 {WAITING}"):
        return refused
    lab.sql("CREATE TABLE pinned (a int)")
    lab.sql("INSERT INTO pinned VALUES (1), (2)")
    reader, vacuuming = lab.session("reader"), lab.session("vacuum")
    reader.sql("BEGIN")
    reader.sql("DECLARE held CURSOR FOR SELECT a FROM pinned")
    reader.sql("FETCH held")
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(vacuuming.sqlstate, "VACUUM (FREEZE) pinned")
        lab.cluster.poll_query_until(f"SELECT count(*) {WAITING}", 1)
        seen = lab.sql(f"SELECT wait_event_type, wait_event {WAITING}")[0]
        reader.sql("COMMIT")
        done.result()
    return list(seen)
