"""The lab, on a real server."""

import pytest

from pytest_pgfeatures.behaviors.lab import Lab, LabServer
from pytest_pgfeatures.errors import LabError
from pytest_pgfeatures.plugin.session import session_of
from pytest_pgfeatures.server.recovery import crash


def statements(lab):
    return [entry.statement for entry in lab.transcript]


def test_sql_returns_rows_and_writes_them_down(lab):
    assert lab.sql("SELECT g, 'x' FROM generate_series(1, 2) g") == [(1, "x"), (2, "x")]
    (entry,) = lab.transcript
    assert entry.rows == (("1", "x"), ("2", "x"))
    assert (entry.session, entry.row_count, entry.status) == ("main", 2, "SELECT 2")


def test_a_statement_without_rows_returns_none(lab):
    assert lab.sql("CREATE TABLE t (a int)") == []
    assert lab.sql("INSERT INTO t VALUES (1), (2)") == []
    assert [entry.status for entry in lab.transcript] == ["CREATE TABLE", "INSERT 0 2"]


def test_parameters_are_bound_by_the_server(lab):
    assert lab.value("SELECT %s::text || '%%'", ["it's"]) == "it's%"
    assert "it's" in statements(lab)[0]


@pytest.mark.parametrize("query", ["SELECT 1, 2", "SELECT 1 WHERE false", "VALUES (1), (2)", "VACUUM"])
def test_value_refuses_another_shape(lab, query):
    with pytest.raises(LabError, match="expected one value"):
        lab.value(query)


def test_a_refused_statement_says_which_and_why(lab):
    with pytest.raises(LabError) as raised:
        lab.sql("SELECT * FROM nowhere")
    assert raised.value.sqlstate == "42P01"
    assert "SELECT * FROM nowhere" in str(raised.value)
    assert "42P01" in str(raised.value)
    (entry,) = lab.transcript
    assert entry.sqlstate == "42P01"
    assert "nowhere" in entry.error


def test_sqlstate_observes_an_error(lab):
    refused = lab.sqlstate("SELECT 1/0")
    assert refused == "22012"
    assert str(refused) == "22012 division_by_zero"
    assert lab.sqlstate("SELECT 1") is None
    assert lab.sql("SELECT 1") == [(1,)], "the session is usable after an error"


def test_value_or_sqlstate_observes_either(lab):
    assert lab.value_or_sqlstate("SELECT 1/0") == "22012"
    assert lab.value_or_sqlstate("SELECT 6/2") == 3
    assert lab.value_or_sqlstate("SELECT NULL::int") is None


def test_value_or_sqlstate_is_for_one_value(lab):
    with pytest.raises(LabError, match="expected one value"):
        lab.value_or_sqlstate("SELECT 1, 2")
    lab.sql("SET statement_timeout = '20ms'")
    with pytest.raises(LabError, match="the server refused: SELECT pg_sleep"):
        lab.value_or_sqlstate("SELECT pg_sleep(60)")


def test_a_deadline_that_passes_is_no_observation(lab):
    lab.sql("SET statement_timeout = '20ms'")
    with pytest.raises(LabError, match="the server refused: SELECT pg_sleep"):
        lab.sqlstate("SELECT pg_sleep(60)")


def test_every_session_has_a_deadline(lab):
    assert lab.value("SHOW statement_timeout") == "1min"
    assert lab.session().value("SHOW statement_timeout") == "1min"


def test_a_lost_connection_is_no_observation(lab):
    lab.sqlstate("SELECT pg_terminate_backend(pg_backend_pid())")
    with pytest.raises(LabError) as raised:
        lab.sqlstate("SELECT 1")
    assert raised.value.sqlstate is None


def test_notices_are_written_down_with_their_statement(lab):
    lab.sql("SELECT 1")
    lab.sql("DROP TABLE IF EXISTS nowhere")
    first, second = lab.transcript
    assert first.notices == ()
    (notice,) = second.notices
    assert notice.startswith("NOTICE:  ")
    assert "nowhere" in notice


def test_a_plan_can_be_asked_and_is_written_down(lab):
    plan = lab.explain("SELECT 1")
    assert plan.root.label == "Result"
    assert "Result" in next(iter(lab.transcript)).plan


def test_a_refused_explain_is_an_error(lab):
    with pytest.raises(LabError, match="EXPLAIN SELECT nothing"):
        lab.explain("SELECT nothing")


@pytest.mark.parametrize(("value", "shown"), [(False, "off"), (True, "on"), ("off", "off")])
def test_settings_are_set_for_the_session(lab, value, shown):
    lab.set(enable_seqscan=value)
    assert lab.value("SHOW enable_seqscan") == shown
    assert lab.session().value("SHOW enable_seqscan") == "on"


def test_a_setting_s_value_may_have_quotes(lab):
    lab.set(application_name="it's")
    assert lab.value("SHOW application_name") == "it's"


def test_a_misspelt_setting_is_an_error(lab):
    with pytest.raises(LabError) as raised:
        lab.set(enable_seqscam=False)
    assert raised.value.sqlstate == "42704"


@pytest.mark.pg("9.6..15")
def test_a_renamed_setting_is_translated(lab):
    lab.set(debug_parallel_query=True)
    assert lab.value("SHOW force_parallel_mode") == "on"


def test_a_setting_that_came_later_is_left_out_and_noted(lab, monkeypatch):
    from pytest_pgfeatures import settings
    from pytest_pgfeatures.version import PgMajor

    later = settings.Added(PgMajor("99"), ("enable_something_later",))
    monkeypatch.setattr(settings, "ADDED", (*settings.ADDED, later))
    lab.set(enable_something_later=True)
    assert statements(lab) == [f"-- enable_something_later is not in {lab.version.major}"]


def test_copy_in_and_out(lab):
    lab.sql("CREATE TABLE t (a int, b text)")
    assert lab.copy_in("COPY t FROM STDIN", "1\tx\n2\ty\n") == 2
    assert lab.copy_in("COPY t FROM STDIN", [b"3\t", b"z\n"]) == 1
    assert lab.copy_out("COPY t TO STDOUT") == b"1\tx\n2\ty\n3\tz\n"
    assert [entry.status for entry in lab.transcript][1:] == ["COPY 2", "COPY 1", "COPY 3"]


def test_refused_data_are_an_error(lab):
    lab.sql("CREATE TABLE t (a int)")
    with pytest.raises(LabError) as raised:
        lab.copy_in("COPY t FROM STDIN", "one\n")
    assert raised.value.sqlstate == "22P02"


def test_sessions_are_other_connections_to_the_same_database(lab):
    lab.sql("CREATE TABLE t (a int)")
    writer, third = lab.session("writer"), lab.session()
    writer.sql("BEGIN")
    writer.sql("INSERT INTO t VALUES (1)")
    assert lab.value("SELECT count(*) FROM t") == 0
    writer.sql("COMMIT")
    assert third.value("SELECT count(*) FROM t") == 1
    assert {entry.session for entry in lab.transcript} == {"main", "writer", "session 3"}


def test_all_sessions_are_closed_at_the_end(pg_database, create_pgs):
    with Lab(pg_database, create_pgs, lambda: pytest.fail("no peer is asked for")) as lab:
        lab.session("a")
        lab.session("b")
    pg_database.cluster.poll_query_until(
        f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{pg_database.name}'", 0
    )


def test_a_statement_s_indentation_is_not_written_down(lab):
    lab.sql(
        """
        SELECT 1,
               2
        """
    )
    assert statements(lab) == ["SELECT 1,\n       2"]


def test_a_long_result_is_cut_in_the_transcript_only(lab):
    assert len(lab.sql("SELECT g FROM generate_series(1, 1000) g")) == 1000
    (entry,) = lab.transcript
    assert len(entry.rows) == 20
    assert entry.row_count == 1000


def test_notices_are_what_the_server_says_beside_its_answer(lab):
    said = lab.notices("DO $$ BEGIN RAISE WARNING 'one'; RAISE NOTICE 'two'; END $$")
    assert said == ("WARNING:  one", "NOTICE:  two")
    assert lab.notices("SELECT 1") == ()


@pytest.mark.pg(
    isolation="cluster",
    # up to 11, the slots of max_wal_senders are among the connections
    settings={"max_connections": "8", "superuser_reserved_connections": "2", "max_wal_senders": "0"},
)
def test_a_connection_that_the_server_refuses_is_an_observation(lab):
    lab.sql("CREATE ROLE alice LOGIN")
    assert lab.session("alice", user="alice").value("SELECT current_user::text") == "alice"
    while (refusal := lab.refusal(user="alice")) is None:
        assert len(lab.transcript) < 20
    assert "remaining connection slots" in refusal
    assert lab.transcript.entries[-1].error == refusal
    with pytest.raises(LabError, match="refused a connection as alice"):
        lab.session(user="alice")


@pytest.mark.pg(isolation="cluster")
def test_a_restart_connects_again_with_the_settings_that_the_server_has(lab):
    other = lab.session()
    lab.restart(work_mem="3MB", reserved_connections=0)
    assert lab.value("SHOW work_mem") == "3MB"
    assert lab.value("SHOW statement_timeout") == "1min"
    with pytest.raises(LabError):
        other.sql("SELECT 1")


@pytest.mark.pg(isolation="cluster")
def test_wal_bytes_are_those_of_the_statement(lab):
    lab.sql("CREATE TABLE t (v text)")
    assert lab.wal_bytes("SELECT 1") == 0
    assert (
        100_000
        < lab.wal_bytes("INSERT INTO t VALUES (repeat('x', 1000))" + ", (repeat('x', 1000))" * 99)
        < 150_000
    )


@pytest.mark.pg(needs=["psql"])
def test_a_client_program_runs_on_the_labs_database(lab):
    ran = lab.run("psql", "--no-psqlrc", "-At", "-c", "SELECT current_database()")
    assert (ran.status, ran.output.strip()) == (0, lab.value("SELECT current_database()::text"))
    (entry, _) = lab.transcript
    assert entry.statement == "$ psql --no-psqlrc -At -c SELECT current_database()"
    assert entry.output == (ran.output.strip(),)


@pytest.mark.pg(needs=["psql"])
def test_a_client_program_s_failure_is_not_judged(lab):
    ran = lab.run("psql", "--no-psqlrc", "-v", "ON_ERROR_STOP=1", stdin="SELECT 1/0;")
    assert ran.status == 3
    assert "division by zero" in ran.errors
    assert lab.transcript.entries[-1].status == "exit status 3"


def test_start_refusal_is_what_the_server_says_of_its_configuration(lab):
    assert (
        lab.start_refusal("no_such_setting = 1") == 'unrecognized configuration parameter "no_such_setting"'
    )
    assert "out of range" in (said := lab.start_refusal("max_connections = 0")) or "outside" in said
    assert lab.start_refusal("max_connections = 20") is None
    assert lab.cluster.running()


@pytest.mark.pg("18")
def test_a_lab_waits_for_whatever_a_function_asks(lab):
    lab.sql("CREATE SEQUENCE calls")
    third = lab.wait_until(lambda: lab.value("SELECT nullif(nextval('calls') / 3, 0)"), "the third call")
    assert third == 1
    assert [entry.statement for entry in lab.transcript][1:] == ["SELECT nullif(nextval('calls') / 3, 0)"]
    with pytest.raises(LabError, match=r"waited 0\.1 seconds in vain for a miracle") as refused:
        lab.wait_until(lambda: lab.value("SELECT false"), "a miracle", timeout=0.1)
    assert "main> SELECT false" in refused.value.details
    assert len(lab.transcript) == 3


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("SELECT 1", 1),
        ("SELECT NULL::int", None),
        ("CREATE TABLE t (a int)", None),
        ("SELECT 1, 'x'", [1, "x"]),
        ("VALUES (1), (2)", [1, 2]),
        ("VALUES (1, 'a'), (2, 'b')", [[1, "a"], [2, "b"]]),
        ("SELECT 1 WHERE false", []),
        ("SELECT ARRAY[1, 2], 1.50::numeric, date '2020-01-02'", [[1, 2], "1.50", "2020-01-02"]),
        (r"SELECT '\x01ff'::bytea", r"\x01ff"),
        ("SELECT 1/0", "22012"),
        ("SELECT 1; SELECT 2", 2),
    ],
)
def test_answer_is_the_shortest_form_of_whatever_the_server_says(lab, query, answer):
    assert lab.answer(query) == answer


def test_an_answer_that_takes_too_long_is_none(lab):
    lab.sql("SET statement_timeout = '20ms'")
    with pytest.raises(LabError, match="the server refused: SELECT pg_sleep"):
        lab.answer("SELECT pg_sleep(60)")


def test_a_pipeline_tells_what_became_of_each_statement(lab):
    assert lab.pipeline("SELECT 1", "SELECT 2") == [None, None]
    assert lab.pipeline("SELECT 1", "SELECT 1/0", "SELECT 2", "SELECT 3") == [
        None,
        "22012",
        "skipped",
        "skipped",
    ]
    assert lab.sql("SELECT 1") == [(1,)], "the session is usable after an error"
    assert "SELECT 1/0" in statements(lab)[1]


@pytest.mark.pg(isolation="transaction")
def test_in_a_transaction_a_refusal_undoes_its_statement_alone(lab):
    lab.sql("CREATE TABLE kept (a int)")
    assert lab.answer("SELECT * FROM nowhere") == "42P01"
    assert lab.sqlstate("CREATE TABLE kept (a int)") == "42P07"
    assert lab.value_or_sqlstate("SELECT 1/0") == "22012"
    assert lab.value("SELECT count(*) FROM kept") == 0
    assert lab.session().sqlstate("SELECT * FROM kept") == "42P01", "nobody else sees it"


@pytest.mark.pg(isolation="transaction")
def test_in_a_transaction_nothing_is_left_of_the_one_before(lab):
    assert lab.sqlstate("SELECT * FROM kept") == "42P01"


def test_a_remark_is_in_the_transcript(lab):
    lab.remark("nothing happened")
    assert statements(lab) == ["-- nothing happened"]


def test_a_server_program_runs_as_the_server_does(lab):
    ran = lab.run_server_program("pg_ctl", "status", "-D", lab.cluster.datadir)
    assert ran.status == 0
    assert "server is running" in ran.output
    assert statements(lab) == [f"$ pg_ctl status -D {lab.cluster.datadir}"]


@pytest.mark.pg(isolation="cluster")
def test_a_restart_that_is_refused_tells_why(lab):
    assert lab.restart_refusal(work_mem="5MB") is None
    assert lab.value("SHOW work_mem") == "5MB"
    assert lab.restart_refusal(hba_file="/nonexistent") in (
        "could not load pg_hba.conf",
        "could not load /nonexistent",
    )


@pytest.mark.pg("9.6,15", isolation="cluster")
def test_pg_upgrade_is_asked_about_a_server_that_goes_on(lab):
    ran = lab.upgrade_check()
    assert (ran.status, "Clusters are compatible" in ran.output) == (0, True), ran.output
    lab.sql("CREATE TABLE grants (given aclitem)")
    refused = lab.upgrade_check()
    assert refused.status == 1
    assert "aclitem" in refused.output
    assert lab.sql("SELECT 1") == [(1,)]


LOGICAL = {"wal_level": "logical"}


@pytest.mark.pg(">=10", settings=LOGICAL)
def test_the_next_lab_s_peer_is_the_same_server_without_subscriptions(lab, pytestconfig, monkeypatch):
    peer, second = lab.peers("subscriber", "second")
    assert len({lab.cluster, peer.cluster, second.cluster}) == 3
    for node in (lab, peer):
        node.sql("CREATE TABLE t (a int PRIMARY KEY)")
    lab.sql("CREATE PUBLICATION pub FOR TABLE t")
    peer.sql(f"CREATE SUBSCRIPTION sub CONNECTION '{lab.dsn}' PUBLICATION pub")
    lab.sql("INSERT INTO t VALUES (1)")
    peer.poll_query_until("SELECT count(*) FROM t", 1)
    session_of(pytestconfig).end_test()
    again = lab.peer("again")
    assert again.cluster is peer.cluster
    assert again.value("SELECT count(*) FROM pg_subscription") == 0
    assert again.value("SELECT to_regclass('t')") is None


@pytest.mark.pg(">=10", settings=LOGICAL)
def test_the_end_of_a_background_worker_is_no_crash(lab, monkeypatch):
    lab.sql("CREATE PUBLICATION pub")
    peer = lab.peer("subscriber")
    peer.sql(f"CREATE SUBSCRIPTION sub CONNECTION '{lab.dsn}' PUBLICATION pub")
    peer.poll_query_until("SELECT count(*) FROM pg_stat_subscription WHERE pid IS NOT NULL", 1)
    peer.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_subscription")
    peer.wait_for_log(r"\(PID \d+\) exited with exit code 1$")
    with monkeypatch.context() as patched:  # after the test, the report's look for incidents may wait
        patched.setattr("pytest_pgfeatures.server.recovery._wait_a_little", lambda _: pytest.fail("it waits"))
        assert crash(peer.cluster, since=0) is None


@pytest.mark.pg(">=10", settings=LOGICAL)
def test_a_shared_standby_has_what_each_lab_has_written(lab, pytestconfig):
    lab.sql("CREATE TABLE t AS SELECT 1 AS a")
    shared, own = lab.shared_standby(), lab.standby()
    assert shared.value("SELECT a FROM t") == 1
    session_of(pytestconfig).end_test()
    assert shared.cluster.running()
    assert not own.cluster.running()
    lab.sql("INSERT INTO t VALUES (2)")
    again = lab.shared_standby()
    assert again.cluster is shared.cluster
    assert again.value("SELECT sum(a) FROM t") == 3


def test_a_server_of_a_lab_sees_what_was_logged_since_it_was_opened(lab, pg_database):
    lab.sql("DO $$ BEGIN RAISE LOG 'said before'; END $$")
    other = LabServer("other", pg_database, lab.transcript)
    assert not other.log_contains("said before")
    lab.sql("DO $$ BEGIN RAISE LOG 'said since'; END $$")
    other.wait_for_log("said since")
    other.close()


@pytest.mark.pg("14,18")
def test_a_server_that_does_not_start_says_why(lab):
    refused = lab.create_refusal("broken", pg_hba=["local all all nonsense"])
    assert "could not load" in refused
    assert lab.transcript.entries[-1].error == refused
    assert lab.create_refusal("whole") is None
