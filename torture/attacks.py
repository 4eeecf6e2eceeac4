"""Attacks by a database, a dump or an input, as SQL: the tests and the checks try the same ones."""

from __future__ import annotations

import re

# --- by the owner of a database that a superuser exports ---

ATTACKER = "mallory"
OWNED = """
    CREATE TABLE ran (what text);
    CREATE FUNCTION run(what text) RETURNS int LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
        IF current_user <> 'mallory' THEN
            RAISE LOG 'RAN % AS %', what, current_user;
            COPY (SELECT 1) TO PROGRAM 'cat > /dev/null';
        END IF;
        RETURN length(what);
    END $$;
    CREATE FUNCTION fixed(a int) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT a $$;
    CREATE TYPE answer AS ENUM ('no', 'yes');
    CREATE DOMAIN small AS int CHECK (VALUE < 100000);
    CREATE TABLE bait (a int, b int, c answer, d small, e int);
    INSERT INTO bait SELECT i, i, 'yes', i, i FROM generate_series(1, 500) i;
    CREATE INDEX of_expression ON bait (fixed(b));
    CREATE INDEX ON bait (d);
    CREATE TABLE constant (a int);
    INSERT INTO constant SELECT generate_series(1, 500);
    CREATE INDEX ON constant (a);
    CREATE INDEX of_constant ON constant ((a + public.fixed(1)));
    CREATE TABLE partial (a int);
    INSERT INTO partial SELECT generate_series(1, 500);
    CREATE INDEX ON partial (a);
    CREATE INDEX of_predicate ON partial (a) WHERE fixed(2) > 0;
    CREATE TABLE policed (a int);
    INSERT INTO policed SELECT generate_series(1, 500);
    CREATE INDEX ON policed (a);
    ALTER TABLE policed ENABLE ROW LEVEL SECURITY;
    ALTER TABLE policed FORCE ROW LEVEL SECURITY;
    CREATE POLICY p ON policed USING (fixed(a) > 0);
    CREATE TABLE plain (a int);
    INSERT INTO plain SELECT generate_series(1, 500);
    CREATE INDEX ON plain (a);
    CREATE VIEW looked AS SELECT fixed(a) FROM plain;
    CREATE FUNCTION shown(answer) RETURNS text LANGUAGE sql AS $$ SELECT public.run('cast')::text $$;
    CREATE CAST (answer AS text) WITH FUNCTION shown(answer) AS IMPLICIT;
    CREATE FUNCTION same(name, text) RETURNS bool LANGUAGE sql AS $$ SELECT public.run('operator') > 0 $$;
    CREATE FUNCTION lower(name) RETURNS text LANGUAGE sql AS $$ SELECT public.run('function')::text $$;
    GRANT SELECT ON ALL TABLES IN SCHEMA public TO PUBLIC;
    ANALYZE;
"""
OWNED_SINCE_14 = """
    CREATE STATISTICS of_statistics ON a, (a + public.fixed(4)) FROM plain;
    CREATE TABLE counted (a int);
    INSERT INTO counted SELECT generate_series(1, 500);
    CREATE INDEX ON counted (a);
    CREATE STATISTICS of_counted ON (a + public.fixed(4)) FROM counted;
    GRANT SELECT ON counted TO PUBLIC;
    ANALYZE;
"""
REPLACED = """
    CREATE OR REPLACE FUNCTION fixed(a int) RETURNS int LANGUAGE sql IMMUTABLE
    AS $$ SELECT public.run('fixed') $$
"""
RACES = (
    "ALTER TABLE bait RENAME TO aside",
    "CREATE VIEW bait AS SELECT run('view') AS a, run('view') AS b",
    "DROP VIEW bait",
    "ALTER TABLE aside RENAME TO bait",
    "CREATE INDEX passing ON bait ((e + public.fixed(3)))",
    "DROP INDEX passing",
    "CREATE INDEX passing ON policed (fixed(a)) WHERE fixed(2) > 0",
    "DROP INDEX passing",
    "ALTER TABLE bait ALTER d TYPE int, ALTER c TYPE text USING 'yes'",
    "ALTER TABLE bait ALTER d TYPE small, ALTER c TYPE answer USING 'yes'::answer",
    "ALTER SCHEMA public RENAME TO aside",
    "ALTER SCHEMA aside RENAME TO public",
    "ANALYZE bait",
)
"""The objects that the owner replaces meanwhile."""

# --- by a dump that is checked or transplanted; each leaves a file of its name in DIRECTORY, or prints SECRET

SECRET = "kept-to-ourselves"
"""The content of the file DIRECTORY.secret, which the servers' user may read."""
ATTACK = """\
CREATE FUNCTION attack(how text) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('COPY (SELECT 1) TO PROGRAM %L', 'cat > DIRECTORY/' || how);
    RETURN 1;
EXCEPTION WHEN OTHERS THEN
    RETURN 0;
END $$;
CREATE FUNCTION hidden(how text) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN attack(how); END';
"""
SCHEMA = r"""
COPY (SELECT 1) TO/**/PROGRAM 'touch DIRECTORY/comment';
COPY (SELECT 1) TO -- x
    PROGRAM 'touch DIRECTORY/line-comment';
COPY (SELECT 1) TO $$DIRECTORY/dollar$$;
COPY (SELECT 1) TO PROGRAM $x$touch DIRECTORY/tagged$x$;
COPY (SELECT 1)TO PROGRAM'touch DIRECTORY/close';
COPY (SELECT 1) TO U&'DIRECTORY/unicode';
COPY (SELECT 1) TO E'DIRECTORY/escape';
CREATE TABLE stolen (line integer);
COPY stolen FROM/**/'DIRECTORY.secret';
COPY stolen FROM/**/PROGRAM 'touch DIRECTORY/from-program; cat DIRECTORY.secret';
SELECT pg_read_file('DIRECTORY.secret')::integer;
SELECT lo_import('DIRECTORY.secret', 4711);
SELECT convert_from(lo_get(4711), 'UTF8')::integer;
ALTER/**/SYSTEM SET archive_command = 'touch DIRECTORY/archive';
CREATE/**/DATABASE attacked;
DO $$ BEGIN PERFORM attack('do'); END $$;
CREATE TABLE victims (id integer CHECK (attack('check') >= 0), name text DEFAULT attack('default')::text);
CREATE FUNCTION triggered() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM attack(''trigger''); RETURN NEW; END';
CREATE TRIGGER first BEFORE INSERT ON victims FOR EACH ROW EXECUTE PROCEDURE triggered();
CREATE INDEX ON victims (hidden('index'), id);
CREATE MATERIALIZED VIEW seen AS SELECT attack('view') AS found;
INSERT INTO victims SELECT n FROM generate_series(1, 20) n;
CREATE FUNCTION fired() RETURNS event_trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM attack(''event''); END';
CREATE EVENT TRIGGER fires ON ddl_command_start EXECUTE PROCEDURE fired();
DO $$ BEGIN ALTER EVENT TRIGGER fires ENABLE ALWAYS; EXCEPTION WHEN OTHERS THEN NULL; END $$;
ALTER EVENT TRIGGER fires ENABLE ALWAYS;
CREATE EXTENSION pageinspect;
CREATE ROLE other;
CREATE FUNCTION leaks() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER LEAKPROOF AS
    'BEGIN RETURN attack(''leakproof''); END';
SELECT leaks();
CREATE FUNCTION pg_catalog.textcat(a text, b text, c text DEFAULT '') RETURNS text LANGUAGE sql LEAKPROOF AS
    'SELECT attack(''catalog'')::text';
CREATE FUNCTION raw(text) RETURNS text LANGUAGE internal LEAKPROOF AS 'pg_read_file_all';
SELECT raw('DIRECTORY.secret')::integer;
CREATE EXTENSION plperlu;
CREATE FUNCTION perl() RETURNS integer LANGUAGE plperlu AS 'system("touch DIRECTORY/perl")';
SELECT perl();
DO $$ BEGIN RESET ROLE; PERFORM attack('reset-role'); END $$;
DO $$ BEGIN EXECUTE 'SET SESSION AUTHORIZATION pgfeatures'; EXCEPTION WHEN OTHERS THEN NULL; END $$;
SELECT attack('session-authorization');
SET SESSION AUTHORIZATION pgfeatures;
SELECT attack('authorized');
ALTER ROLE postgres SUPERUSER;
SELECT attack('altered');
CREATE ROLE strong SUPERUSER LOGIN;
SET ROLE strong;
SELECT attack('strong');
RESET ROLE;
CREATE ROLE creator CREATEROLE;
SET ROLE creator;
DO $$ BEGIN
    CREATE ROLE helped IN ROLE pg_execute_server_program; GRANT helped TO postgres;
    EXCEPTION WHEN OTHERS THEN NULL; END $$;
RESET ROLE;
SELECT attack('creator');
GRANT pg_execute_server_program TO postgres;
CREATE ROLE runner IN ROLE pg_execute_server_program;
GRANT pgfeatures TO postgres;
SELECT attack('granted');
ALTER ROLE postgres SET session_preload_libraries = 'DIRECTORY/evil';
ALTER ROLE postgres SET search_path = public, pg_catalog;
ALTER ROLE CURRENT_USER SET session_preload_libraries = 'DIRECTORY/evil';
CREATE DOMAIN picky AS integer CHECK (attack('domain') >= 0);
CREATE TABLE parts (id picky) PARTITION BY LIST (id);
CREATE TABLE part PARTITION OF parts FOR VALUES IN (1);
"""
STATEMENTS = tuple(re.split(r"(?<=;)\n(?=\S)", SCHEMA.strip()))
METACOMMANDS = r"""
\! touch DIRECTORY/shell
\copy (SELECT 1) TO PROGRAM 'touch DIRECTORY/copy-to-program'
\o DIRECTORY/output
\o | touch DIRECTORY/output-to-program
\setenv PAGER 'touch DIRECTORY/pager'
\set found `touch DIRECTORY/backticks`
SELECT 'touch DIRECTORY/g' \g | sh
SELECT 1 \g DIRECTORY/g-file
SELECT '\! touch DIRECTORY/gexec' \gexec
"""
"""Meta-commands of psql, which a dump may have."""
QUERIES = """\
SELECT count(*) AS found FROM victims WHERE hidden('planned') = 1;
COPY (SELECT 1) TO/**/PROGRAM 'touch DIRECTORY/query';
UPDATE victims SET id = id + 1;
"""
DUMPED = """\
CREATE FUNCTION public.attack(how text) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('COPY (SELECT 1) TO PROGRAM %L', 'cat > DIRECTORY/' || how);
    RETURN 1;
EXCEPTION WHEN OTHERS THEN
    RETURN 0;
END $$;
ALTER FUNCTION public.attack(text) OWNER TO postgres;
DO $$ BEGIN RESET ROLE; PERFORM public.attack('do'); END $$;
CREATE MATERIALIZED VIEW public.seen AS SELECT public.attack('view') AS found;
ALTER MATERIALIZED VIEW public.seen OWNER TO app;
SET SESSION AUTHORIZATION app;
SELECT public.attack('role');
RESET SESSION AUTHORIZATION;
CREATE EXTENSION pageinspect WITH SCHEMA public;
COMMENT ON EXTENSION pageinspect IS 'inspect the contents of database pages';
CREATE FUNCTION public.fired() RETURNS event_trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM public.attack(''event''); END';
CREATE EVENT TRIGGER fires ON ddl_command_start EXECUTE PROCEDURE public.fired();
ALTER EVENT TRIGGER fires OWNER TO postgres;
CREATE EXTENSION hstore WITH SCHEMA public;
"""

# --- by inputs and statements without end ------------------

CATCHES = """\
CREATE TABLE before (id int);
DO $$
BEGIN
    LOOP
        BEGIN
            PERFORM pg_sleep(0.05);
        EXCEPTION WHEN query_canceled THEN NULL;
        END;
    END LOOP;
END $$;
CREATE TABLE after (id int CHECK (id > 0x1));
"""
ALIASES = "\n".join(
    (
        "a0: &a0 [echo, vacuumdb]",
        *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 20)),
        "? *a19\n: a key, too",
        "run: pg_dump shop\n",
    )
)
"""YAML whose lists, one of them a key, have 9 ** 19 words."""
