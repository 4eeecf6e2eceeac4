"""Changes that stand in no "Migration" section: what of an application shows each, and what does not."""

from __future__ import annotations

import pytest
from tests.readiness.test_inputs import read

from pytest_pgfeatures.behaviors.registry import atlas
from pytest_pgfeatures.readiness.application import Application
from pytest_pgfeatures.readiness.evidence.find import find
from pytest_pgfeatures.readiness.inputs.access import read_access
from pytest_pgfeatures.readiness.model import Query, VersionPair
from pytest_pgfeatures.readiness.options import ReadinessOptions
from pytest_pgfeatures.readiness.pairs import Trials
from pytest_pgfeatures.readiness.run import look_for
from pytest_pgfeatures.sql.statements import statements
from pytest_pgfeatures.version import MAJORS, PgMajor, as_release

DECLARES = "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ DECLARE c {}; BEGIN {}; END $$"
TRIGGER = "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN {} END $$"

SHOWN = [
    ("10/activity-of-server-processes", "SELECT count(*) FROM pg_stat_activity"),
    ("10/money-overflow", "CREATE TABLE t (a money)"),
    ("11/to-char-tzh", "SELECT to_char(now(), 'HH24:MI TZH')"),
    ("11/unaccent-rules", "CREATE EXTENSION unaccent; SELECT unaccent('a')"),
    ("12/wal-senders-not-in-connections", "ALTER SYSTEM SET max_wal_senders = 20"),
    ("12/trigger-definition", "SELECT pg_get_triggerdef(oid) FROM pg_trigger"),
    ("12/new-enum-value", "CREATE TYPE e AS ENUM ('a'); ALTER TYPE e ADD VALUE 'b'"),
    ("12/regression-of-a-constant", "SELECT regr_r2(a, b) FROM t"),
    ("13/to-char-ff", "SELECT to_char(now(), 'YYYY FF3')"),
    ("13/to-char-sssss", "SELECT to_char(now(), 'SSSSS')"),
    ("14/numeric-infinity", "SELECT 'Infinity'::numeric"),
    ("14/reltuples-unknown", "SELECT reltuples FROM pg_class"),
    ("14/reindex-partitioned-table", "CREATE TABLE t (a int) PARTITION BY LIST (a); REINDEX TABLE t"),
    ("15/create-in-public", "SELECT 1; SET ROLE clerk; CREATE TABLE public.t (a int)"),
    ("15/size-in-petabytes", "SELECT pg_size_pretty(bytes) FROM sizes"),
    ("16/aclitem-upgrade", "CREATE TABLE t (a aclitem[])"),
    ("16/backend-ids", "SELECT pg_stat_get_backend_pid(s) FROM generate_series(1, 9) s"),
    ("16/numeric-power-near-zero", "SELECT power(a, 2) FROM t"),
    (
        "17/infinite-subtraction",
        "CREATE TABLE t (a timestamp, b timestamp DEFAULT 'infinity'); SELECT b - a FROM t",
    ),
    ("17/maintain-in-privileges", "SELECT relacl FROM pg_class"),
    ("17/maintain-in-privileges", "SELECT 1 FROM pg_class c WHERE c.relacl::text LIKE '%x%'"),
    ("17/names-of-subplans", "EXPLAIN SELECT (SELECT 1)"),
    ("17/unaccent-fractions", "CREATE EXTENSION unaccent; SELECT unaccent('a')"),
    ("18/statements-with-lists", "CREATE EXTENSION pg_stat_statements; SELECT * FROM pg_stat_statements"),
    ("18/statements-by-table-name", "CREATE EXTENSION pg_stat_statements; SELECT * FROM pg_stat_statements"),
    ("18/index-searches", "EXPLAIN (ANALYZE) SELECT 1"),
    (
        "18/not-null-in-information-schema",
        "SELECT constraint_name FROM information_schema.table_constraints",
    ),
    ("18/quarter-of-negative-interval", "SELECT EXTRACT(quarter FROM a) FROM t"),
    ("18/autovacuum-worker-slots", "ALTER SYSTEM SET autovacuum_max_workers = 20"),
    ("18/max-active-replication-origins", "ALTER SYSTEM SET max_replication_slots = 20"),
    ("18/english-stemmer", "SELECT to_tsvector('english', a) FROM t"),
    ("19/srf-in-window", "SELECT sum(a) OVER (ORDER BY generate_series(1, 3)) FROM t"),
    ("19/all-data-large-objects", "GRANT pg_read_all_data TO clerk"),
    ("19/log-min-messages-text", "SHOW log_min_messages"),
    ("19/german-stemmer", "CREATE INDEX ON t USING gin (to_tsvector('pg_catalog.german', a))"),
    (
        "14/view-definition-syntax",
        "CREATE VIEW v AS SELECT EXTRACT(year FROM now()); SELECT pg_get_viewdef('v'::regclass)",
    ),
    ("15/constant-variables", DECLARES.format("constant refcursor", "OPEN c FOR SELECT 1")),
    ("15/constant-variables", DECLARES.format("CONSTANT int := 1", "CALL p(2, c)")),
    ("16/role-that-granted", "GRANT staff TO chief WITH ADMIN OPTION; DROP ROLE chief"),
    ("16/membership-that-granted", "CREATE ROLE chief CREATEROLE; REVOKE staff FROM chief"),
    ("16/membership-of-each-grantor", "GRANT staff TO chief WITH ADMIN OPTION; REVOKE staff FROM clerk"),
    ("16/granted-by-without-admin", "GRANT staff TO clerk GRANTED BY chief"),
    ("16/bootstrap-superuser", "ALTER ROLE postgres WITH LOGIN NOSUPERUSER"),
    (
        "16/default-privileges-of-another",
        "CREATE ROLE clerk NOINHERIT; ALTER DEFAULT PRIVILEGES FOR ROLE staff GRANT SELECT ON TABLES TO PUBLIC",
    ),
    ("16/reset-transaction-isolation", "RESET transaction_isolation"),
    ("16/reset-transaction-isolation", "RESET TRANSACTION ISOLATION LEVEL"),
    ("16/headline-of-phrase", "SELECT ts_headline('english', a, phraseto_tsquery('b c')) FROM t"),
    ("18/returning-of-trigger-row", TRIGGER.format("UPDATE u SET b = 1 RETURNING OLD.a INTO x; RETURN new;")),
    (
        "18/xpath-error-codes",
        DECLARES.format("xml", "c := xpath(a, b); EXCEPTION WHEN no_data OR data_exception THEN NULL"),
    ),
    (
        "10/statements-with-parameters",
        "CREATE EXTENSION pg_stat_statements; SELECT query FROM pg_stat_statements",
    ),
    ("10/money-divided-by-bigint", "CREATE TABLE t (a money, n bigint); SELECT a / n FROM t"),
    ("10/json-of-anyarray", "SELECT row_to_json(s) FROM pg_stats s"),
    ("11/vacuum-of-columns", "VACUUM (VERBOSE) t (a)"),
    ("11/prior-checkpoint", "SELECT prior_lsn FROM pg_control_checkpoint()"),
    ("12/statistics-of-shared-objects", "SELECT datname, numbackends FROM pg_stat_database"),
    ("12/to-timestamp-separators", "SELECT to_timestamp(a, 'YYYY-MM-DD  HH24:MI') FROM t"),
    ("12/pg-stat-ssl-clientdn", "SELECT clientdn FROM pg_stat_ssl"),
    ("13/column-that-exists", "ALTER TABLE t ADD COLUMN IF NOT EXISTS a int UNIQUE"),
    ("13/french-stemmer", "SELECT to_tsvector('french', a) FROM t"),
    ("13/lquery-not", "CREATE EXTENSION ltree; SELECT * FROM t WHERE path ~ 'a.!b.*'"),
    ("13/csv-log-columns", "ALTER SYSTEM SET log_destination = 'stderr,csvlog'"),
    ("13/recovery-target-not-reached", "ALTER SYSTEM SET recovery_target_name = 'a'"),
    (
        "15/triggers-of-partitions",
        "CREATE TABLE p (a int) PARTITION BY LIST (a); ALTER TRIGGER tells ON p RENAME TO other",
    ),
    (
        "16/statements-of-utilities",
        "CREATE EXTENSION pg_stat_statements; SELECT calls FROM pg_stat_statements WHERE query ~ '^CALL'",
    ),
    (
        "17/statements-of-savepoints",
        "CREATE EXTENSION pg_stat_statements; SELECT query FROM pg_stat_statements",
    ),
    ("18/statements-of-set", "CREATE EXTENSION pg_stat_statements; SELECT query FROM pg_stat_statements"),
    ("12/walreceiver-name", "ALTER SYSTEM SET cluster_name = 'standby'"),
    ("12/pg-stat-ssl-of-others", "SELECT * FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)"),
    ("12/statements-reset-arguments", "GRANT ALL ON FUNCTION public.pg_stat_statements_reset() TO monitor"),
    (
        "17/statements-reset-arguments",
        "REVOKE EXECUTE ON FUNCTION pg_stat_statements_reset(oid, oid, bigint) FROM monitor",
    ),
    (
        "12/partitioned-indexes-listed",
        "CREATE TABLE t (a int) PARTITION BY LIST (a); SELECT indexname FROM pg_indexes WHERE tablename = 't'",
    ),
    ("12/partitions-in-tablespace", "CREATE TABLE t (a int) PARTITION BY HASH (a) TABLESPACE fast"),
    ("16/auto-explain-parameters", "ALTER SYSTEM SET auto_explain.log_min_duration = '1s'"),
    ("16/to-regclass-malformed", "SELECT to_regclass(name) FROM tables"),
    ("16/to-regclass-number", "SELECT to_regtype(name) FROM types"),
    ("18/integer-bytea-casts", "CREATE CAST (bigint AS bytea) WITH FUNCTION f(bigint)"),
    ("18/integer-bytea-casts", "CREATE CAST (bytea AS int4) WITH FUNCTION f(bytea)"),
    ("18/buffercache-evict-row", "CREATE EXTENSION pg_buffercache; SELECT pg_buffercache_evict(1)"),
    ("19/uuid-bytea-casts", "CREATE CAST (uuid AS bytea) WITHOUT FUNCTION"),
    (
        "19/random-hides",
        "CREATE FUNCTION random(date, date) RETURNS date LANGUAGE sql AS 'SELECT $1'",
    ),
    ("19/statements-of-fetch", "CREATE EXTENSION pg_stat_statements; SELECT query FROM pg_stat_statements"),
]

OTHERS = [
    ("10/activity-of-server-processes", "SELECT 1 FROM pg_stat_activity WHERE datname = 'a'"),
    ("16/backend-ids", "SELECT pg_stat_get_backend_pid(s) FROM pg_stat_get_backend_idset() s"),
    ("11/to-char-tzh", "SELECT to_char(now(), 'HH24:MI TZ')"),
    ("11/unaccent-rules", "CREATE FUNCTION unaccent(text) RETURNS text LANGUAGE sql AS 'SELECT 1'"),
    ("12/wal-senders-not-in-connections", "ALTER SYSTEM SET max_wal_senders = 0"),
    ("12/new-enum-value", "ALTER TYPE e RENAME TO f"),
    ("13/to-char-ff", "SELECT to_char(now(), 'YYYY FF')"),
    ("13/to-char-sssss", "SELECT to_char(now(), 'SSSS')"),
    ("14/numeric-infinity", "SELECT 'Infinity'::float8, '1'::numeric"),
    ("14/reindex-partitioned-table", "CREATE TABLE t (a int); REINDEX TABLE t"),
    ("17/infinite-subtraction", "CREATE TABLE t (a timestamp, b timestamp); SELECT b - a FROM t"),
    ("17/names-of-subplans", "EXPLAIN (FORMAT JSON) SELECT (SELECT 1)"),
    ("18/index-searches", "EXPLAIN SELECT 1"),
    ("18/quarter-of-negative-interval", "SELECT EXTRACT(year FROM a) FROM t"),
    ("18/autovacuum-worker-slots", "ALTER SYSTEM SET autovacuum_max_workers = 16"),
    ("18/max-active-replication-origins", "ALTER SYSTEM SET max_replication_slots = 10"),
    ("18/english-stemmer", "SELECT to_tsvector('simple', a) FROM t"),
    ("19/srf-in-window", "SELECT sum(a) OVER (ORDER BY a) FROM generate_series(1, 3) a"),
    ("19/all-data-large-objects", "GRANT pg_monitor TO clerk"),
    ("14/view-definition-syntax", "CREATE VIEW v AS SELECT 1; SELECT pg_get_viewdef('v'::regclass)"),
    ("15/constant-variables", DECLARES.format("refcursor", "OPEN c FOR SELECT 1")),
    ("15/constant-variables", DECLARES.format("CONSTANT int := 1", "CALL p(2); PERFORM q(c)")),
    ("16/role-that-granted", "DROP ROLE chief"),
    ("16/membership-that-granted", "CREATE ROLE chief CREATEROLE; REVOKE staff FROM chief CASCADE"),
    (
        "16/membership-of-each-grantor",
        "GRANT staff TO chief WITH ADMIN OPTION; REVOKE SELECT ON t FROM clerk",
    ),
    ("16/granted-by-without-admin", "GRANT SELECT ON t TO clerk GRANTED BY chief"),
    ("16/bootstrap-superuser", "ALTER ROLE clerk NOSUPERUSER"),
    (
        "16/default-privileges-of-another",
        "CREATE ROLE clerk NOINHERIT; ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC",
    ),
    ("16/reset-transaction-isolation", "RESET default_transaction_isolation"),
    ("16/headline-of-phrase", "SELECT ts_rank(a, phraseto_tsquery('b c')) FROM t"),
    ("18/returning-of-trigger-row", TRIGGER.format("UPDATE u SET b = old.a RETURNING b INTO x; RETURN new;")),
    ("18/xpath-error-codes", DECLARES.format("xml", "c := xpath(a, b); EXCEPTION WHEN no_data THEN NULL")),
    (
        "10/statements-with-parameters",
        "CREATE EXTENSION pg_stat_statements; SELECT calls FROM pg_stat_statements",
    ),
    ("10/money-divided-by-bigint", "CREATE TABLE t (a money, n bigint); SELECT a / 2, a * n FROM t"),
    ("10/json-of-anyarray", "SELECT most_common_vals FROM pg_stats"),
    ("11/vacuum-of-columns", "VACUUM (VERBOSE, ANALYZE) t (a)"),
    ("11/prior-checkpoint", "SELECT redo_lsn FROM pg_control_checkpoint()"),
    ("12/statistics-of-shared-objects", "SELECT numbackends FROM pg_stat_database WHERE datname = 'a'"),
    ("12/to-timestamp-separators", "SELECT to_timestamp(a, 'YYYY-MM-DD HH24:MI') FROM t"),
    ("12/pg-stat-ssl-clientdn", "SELECT ssl FROM pg_stat_ssl"),
    ("13/column-that-exists", "ALTER TABLE t ADD COLUMN IF NOT EXISTS a int"),
    (
        "17/maintain-in-privileges",
        "SELECT 1 FROM pg_class WHERE relacl @> makeaclitem(10, 10, 'SELECT', false)",
    ),
    ("15/create-in-public", "SET ROLE clerk; RESET ROLE; CREATE TABLE public.t (a int)"),
    ("15/create-in-public", "CREATE TABLE public.t (a int); SET ROLE clerk; SELECT 1"),
    ("16/createrole-gives-createdb", "SET ROLE chief; SET ROLE NONE; CREATE ROLE clerk CREATEDB"),
    ("13/french-stemmer", "SELECT to_tsvector('english', a) FROM t"),
    ("13/lquery-not", "CREATE EXTENSION ltree; SELECT * FROM t WHERE path ~ 'a.b.*'"),
    ("13/csv-log-columns", "ALTER SYSTEM SET log_destination = 'syslog'"),
    ("13/recovery-target-not-reached", "ALTER SYSTEM SET recovery_target_name = ''"),
    ("15/triggers-of-partitions", "CREATE TABLE t (a int); ALTER TRIGGER tells ON t RENAME TO other"),
    (
        "16/statements-of-utilities",
        "CREATE EXTENSION pg_stat_statements; SELECT sum(calls) FROM pg_stat_statements",
    ),
    ("17/statements-of-savepoints", "SELECT query FROM pg_stat_activity"),
    ("18/statements-of-set", "CREATE EXTENSION pg_stat_statements; SELECT calls FROM pg_stat_statements"),
    ("12/walreceiver-name", "SET application_name = 'standby'"),
    ("12/pg-stat-ssl-of-others", "SELECT * FROM pg_stat_activity"),
    ("12/statements-reset-arguments", "SELECT pg_stat_statements_reset()"),
    ("17/statements-reset-arguments", "GRANT EXECUTE ON FUNCTION pg_stat_statements_reset TO monitor"),
    ("12/partitioned-indexes-listed", "CREATE TABLE t (a int); SELECT indexname FROM pg_indexes"),
    (
        "12/partitions-in-tablespace",
        "CREATE TABLE t (a int) PARTITION BY HASH (a); CREATE TABLE s (a int) TABLESPACE fast",
    ),
    ("16/auto-explain-parameters", "ALTER SYSTEM SET auto_explain.log_min_duration = -1"),
    ("16/to-regclass-malformed", "SELECT 'pg_class'::regclass"),
    ("16/to-regclass-number", "SELECT 1259::regclass"),
    ("18/integer-bytea-casts", "CREATE CAST (integer AS text) WITH FUNCTION f(integer)"),
    ("18/buffercache-evict-row", "CREATE EXTENSION pg_buffercache; SELECT * FROM pg_buffercache"),
    ("19/uuid-bytea-casts", "SELECT a::uuid FROM t"),
    ("19/random-hides", "SELECT pg_catalog.random(1, 6)"),
    (
        "19/statements-of-fetch",
        "CREATE EXTENSION pg_stat_statements; SELECT sum(calls) FROM pg_stat_statements",
    ),
]


KEY = "ALTER TABLE t ADD CONSTRAINT k PRIMARY KEY USING INDEX i"
BY_SERVERS = [
    ("10/xmltable-function", "CREATE FUNCTION xmltable(a int) RETURNS int LANGUAGE sql AS 'SELECT 1'", True),
    (
        "10/xmltable-function",
        "CREATE FUNCTION xmltables(a int) RETURNS int LANGUAGE sql AS 'SELECT 1'",
        False,
    ),
    (
        "13/normalize-function",
        "CREATE FUNCTION normalize(a int) RETURNS int LANGUAGE sql AS 'SELECT 1'",
        True,
    ),
    ("17/json-function", "CREATE FUNCTION json(a int) RETURNS int LANGUAGE sql AS 'SELECT 1'", True),
    (
        "18/inherited-not-null",
        "CREATE TABLE p (a int NOT NULL); CREATE TABLE c () INHERITS (p); ALTER TABLE c ALTER a DROP NOT NULL",
        True,
    ),
    ("18/inherited-not-null", "CREATE TABLE c (a int NOT NULL); ALTER TABLE c ALTER a DROP NOT NULL", False),
    (
        "13/key-of-another-collation",
        f'CREATE TABLE t (a text NOT NULL); CREATE UNIQUE INDEX i ON t (a COLLATE "C"); {KEY}',
        True,
    ),
    (
        "13/key-of-another-collation",
        f"CREATE TABLE t (a text NOT NULL); CREATE UNIQUE INDEX i ON t (a); {KEY}",
        False,
    ),
    (
        "15/triggers-of-partitions",
        "CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1);"
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';"
        "CREATE TRIGGER tells AFTER INSERT ON p FOR EACH ROW EXECUTE FUNCTION f();"
        "ALTER TRIGGER tells ON p1 RENAME TO other",
        True,
    ),
    ("10/literal-column-type", "CREATE VIEW v AS SELECT 'x' AS a", True),
    ("10/literal-column-type", "CREATE TABLE t AS SELECT 1 AS b, 'x' AS a", True),
    ("10/literal-column-type", "CREATE VIEW v AS SELECT 'x'::text AS a", False),
    ("11/truncate-published", "CREATE TABLE t (a int); CREATE PUBLICATION p FOR TABLE t", True),
    (
        "11/truncate-published",
        "CREATE TABLE t (a int); CREATE PUBLICATION p FOR TABLE t WITH (publish = 'insert')",
        False,
    ),
    (
        "12/foreign-key-name",
        "CREATE TABLE t (a int, b int, PRIMARY KEY (a, b));"
        "CREATE TABLE u (a int, b int, FOREIGN KEY (a, b) REFERENCES t)",
        True,
    ),
    (
        "12/foreign-key-name",
        "CREATE TABLE t (a int PRIMARY KEY); CREATE TABLE u (a int, FOREIGN KEY (a) REFERENCES t)",
        False,
    ),
    (
        "13/like-keeps-no-inherit",
        "CREATE TABLE a (x int CHECK (x > 0) NO INHERIT); CREATE TABLE b (LIKE a INCLUDING ALL)",
        True,
    ),
    (
        "13/like-keeps-no-inherit",
        "CREATE TABLE a (x int CHECK (x > 0)); CREATE TABLE b (LIKE a INCLUDING ALL)",
        False,
    ),
    (
        "14/multirange-type-name",
        "CREATE TYPE a_multirange AS (a int); CREATE TYPE a_range AS RANGE (subtype = int)",
        True,
    ),
    ("14/multirange-type-name", "CREATE TYPE a_range AS RANGE (subtype = int)", False),
    (
        "15/keys-across-partitions",
        "CREATE TABLE p (a int PRIMARY KEY) PARTITION BY LIST (a);"
        "CREATE TABLE c (a int REFERENCES p ON DELETE CASCADE)",
        True,
    ),
    (
        "15/keys-across-partitions",
        "CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE c (a int REFERENCES p ON DELETE CASCADE)",
        False,
    ),
    (
        "12/text-search-configurations",
        "CREATE TEXT SEARCH CONFIGURATION public.lithuanian (COPY = simple)",
        True,
    ),
    (
        "12/text-search-configurations",
        "CREATE TEXT SEARCH CONFIGURATION public.latvian (COPY = simple)",
        False,
    ),
    (
        "13/text-search-configurations",
        "CREATE TEXT SEARCH CONFIGURATION greek (COPY = pg_catalog.simple)",
        True,
    ),
    ("13/text-search-configurations", "CREATE TEXT SEARCH DICTIONARY greek (TEMPLATE = simple)", False),
    (
        "14/text-search-configurations",
        'CREATE TEXT SEARCH CONFIGURATION public.hindi (PARSER = pg_catalog."default")',
        True,
    ),
    ("18/text-search-configurations", "CREATE TEXT SEARCH CONFIGURATION estonian (COPY = simple)", True),
    ("18/english-stemmer", "CREATE TEXT SEARCH CONFIGURATION ours (COPY = english)", True),
    (
        "18/english-stemmer",
        "CREATE TEXT SEARCH CONFIGURATION ours (COPY = simple);"
        "CREATE TEXT SEARCH DICTIONARY stems (TEMPLATE = snowball, Language = english);"
        "ALTER TEXT SEARCH CONFIGURATION ours ALTER MAPPING FOR word WITH stems",
        True,
    ),
    ("18/english-stemmer", "CREATE TEXT SEARCH CONFIGURATION english (COPY = simple)", False),
    (
        "18/unaccent-rules",
        "CREATE EXTENSION unaccent; CREATE TEXT SEARCH CONFIGURATION ours (COPY = simple);"
        "ALTER TEXT SEARCH CONFIGURATION ours ALTER MAPPING FOR word WITH unaccent, simple",
        True,
    ),
    (
        "17/reindex-event-triggers",
        "CREATE FUNCTION f() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';"
        "CREATE EVENT TRIGGER e ON ddl_command_start EXECUTE FUNCTION f()",
        True,
    ),
    (
        "17/reindex-event-triggers",
        "CREATE FUNCTION f() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';"
        "CREATE EVENT TRIGGER e ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION f()",
        False,
    ),
    (
        "14/intarray-contained-by",
        "CREATE EXTENSION intarray; CREATE TABLE t (a int[]); CREATE INDEX ON t USING gist (a gist__int_ops)",
        True,
    ),
    ("10/srf-in-update", "CREATE TABLE t (a int); UPDATE t SET a = generate_series(1, 2)", True),
    (
        "10/srf-in-update",
        "CREATE TABLE t (a int); UPDATE t SET a = (SELECT generate_series(1, 2) LIMIT 1)",
        False,
    ),
    (
        "15/char-beside-text",
        "CREATE VIEW v AS SELECT coalesce(c.relkind, 'none'::text) FROM pg_class c",
        True,
    ),
    (
        "15/char-beside-text",
        "CREATE VIEW v AS SELECT CASE WHEN true THEN relkind::text ELSE 'none'::text END FROM pg_class",
        False,
    ),
    (
        "16/partition-default-for-generated",
        "CREATE TABLE p (a int, b int GENERATED ALWAYS AS (a * 2) STORED) PARTITION BY LIST (a);"
        "CREATE TABLE p1 PARTITION OF p (b DEFAULT 5) FOR VALUES IN (5)",
        True,
    ),
]
"""What servers show, by refusals or in their catalogs."""


def found(id, sql):
    """The behaviors that readiness finds in these statements, between the majors of one of them."""
    new = atlas()[id].since.major
    old = MAJORS[MAJORS.index(new) - 1]
    queries = tuple(
        Query(statement.text, "schema", "a.sql", (number,))
        for number, statement in enumerate(statements(sql), start=1)
    )
    given = Application(frozenset({"schema", "queries"}), queries)
    return {one.behavior for one in find(given, VersionPair(as_release(old), as_release(new)), None).findings}


@pytest.mark.parametrize(("id", "sql"), SHOWN)
def test_what_shows_it(id, sql):
    assert id in found(id, sql)


@pytest.mark.parametrize(("id", "sql"), OTHERS)
def test_what_does_not_show_it(id, sql):
    assert id not in found(id, sql)


@pytest.mark.pg(matrix=False)
@pytest.mark.parametrize(("id", "sql", "shows"), BY_SERVERS)
def test_what_servers_show(id, sql, shows, tmp_path, workbench):
    new = atlas()[id].since.major
    old = MAJORS[MAJORS.index(new) - 1]
    (tmp_path / "a.sql").write_text(sql)
    options = ReadinessOptions(old=str(old), new=str(new), schema=(str(tmp_path / "a.sql"),))
    findings = look_for(options, Trials(workbench.clusters)).findings
    assert (id in {one.behavior for one in findings}) == shows, findings


@pytest.mark.parametrize(("plural", "refused"), [("", True), ("s", False)])
def test_options_of_radius_in_a_file_of_access_rules(tmp_path, plural, refused):
    path = tmp_path / "pg_hba.conf"
    path.write_text(
        f"host all all 10.0.0.0/8 radius radiusserver{plural}=10.0.0.1 radiussecret{plural}=secret\n"
    )
    given = Application(frozenset({"hba"}), hba=tuple(read_access(str(path))))
    findings = find(given, VersionPair(as_release(PgMajor("9.6")), as_release(PgMajor("10"))), None).findings
    assert ("10/radius-servers" in {one.behavior for one in findings}) == refused


@pytest.mark.parametrize(
    ("call", "shows"),
    [
        ("vacuumdb --all -Z", True),
        ("vacuumdb --analyze-in-stages shop", True),
        ("vacuumdb --analyze-only --table=orders shop", False),
        ("vacuumdb --all --analyze", False),
    ],
)
def test_calls_of_vacuumdb_in_a_script(tmp_path, call, shows):
    path = tmp_path / "nightly.sh"
    path.write_text(f"#!/bin/sh\n{call}\n")
    scripts = read(scripts=path)
    given = Application(frozenset({"scripts"}), invocations=scripts.invocations)
    findings = find(given, VersionPair(as_release(PgMajor("18")), as_release(PgMajor("19"))), None).findings
    assert ("19/vacuumdb-partitioned-tables" in {one.behavior for one in findings}) == shows


@pytest.mark.parametrize(
    ("line", "shows"),
    [
        ("local all /clerks peer", True),
        ("host shop,/shop_2 all 10.0.0.0/8 md5", True),
        ('local all "/clerks" peer', True),
        ('local "replication" all peer', False),
        ("host all clerks 10.0.0.0/8 md5", False),
    ],
)
def test_slashes_in_a_file_of_access_rules(tmp_path, line, shows):
    path = tmp_path / "pg_hba.conf"
    path.write_text(f"{line}\n")
    given = Application(frozenset({"hba"}), hba=tuple(read_access(str(path))))
    findings = find(given, VersionPair(as_release(PgMajor("15")), as_release(PgMajor("16"))), None).findings
    assert ("16/hba-slash" in {one.behavior for one in findings}) == shows


@pytest.mark.parametrize(
    ("line", "shows"),
    [
        ("any /^.*$ all", True),
        ("shop root +clerks", True),
        ('any /^.*$ "all"', False),
        ('any /^.*$ "/clerks"', True),
        ("all all clerk", False),
    ],
)
def test_roles_in_a_file_of_identities(tmp_path, line, shows):
    path = tmp_path / "pg_ident.conf"
    path.write_text(f"{line}\n")
    given = Application(frozenset({"ident"}), ident=tuple(read_access(str(path))))
    findings = find(given, VersionPair(as_release(PgMajor("15")), as_release(PgMajor("16"))), None).findings
    assert ("16/ident-all" in {one.behavior for one in findings}) == shows


@pytest.mark.parametrize(("call", "shows"), [("postgres -n -D data", True), ("postgres -D data", False)])
def test_calls_of_postgres_in_a_script(tmp_path, call, shows):
    path = tmp_path / "start.sh"
    path.write_text(f"#!/bin/sh\n{call}\n")
    scripts = read(scripts=path)
    given = Application(frozenset({"scripts"}), invocations=scripts.invocations)
    findings = find(given, VersionPair(as_release(PgMajor("15")), as_release(PgMajor("16"))), None).findings
    assert ("16/postgres-n" in {one.behavior for one in findings}) == shows
