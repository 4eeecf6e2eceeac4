-- Schema of the DBA team: partition maintenance and job log.
-- Loaded after registry.sql.

CREATE SCHEMA dba;

SET search_path = dba, registry, public;

CREATE TABLE dba.partition_config (
    parent       text PRIMARY KEY,
    part_column  text NOT NULL,
    step         interval NOT NULL DEFAULT '1 month',
    keep         integer NOT NULL DEFAULT 24,
    premake      integer NOT NULL DEFAULT 2
);

CREATE TABLE dba.job_log (
    job_id      bigserial PRIMARY KEY,
    job         text NOT NULL,
    started_at  timestamp NOT NULL,
    finished_at timestamp,
    ok          boolean,
    message     text
);

-- state of the constraints at the last release, for comparisons
CREATE TABLE dba.constraint_snapshot (
    release text NOT NULL,
    conname text NOT NULL,
    consrc  text,
    PRIMARY KEY (release, conname)
);

-- size of the tables, filled once a week
CREATE TABLE dba.table_sizes (
    taken_on  date NOT NULL,
    relname   text NOT NULL,
    pages     bigint NOT NULL,
    reltuples bigint NOT NULL,
    PRIMARY KEY (taken_on, relname)
);

CREATE FUNCTION dba.partition_name(p_parent text, p_from timestamp) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT p_parent || to_char(p_from, '_YYYY_MM');
$$;

-- Creates the partition of the month that contains p_at, unless it exists.
CREATE FUNCTION dba.partition_create(p_parent text, p_at timestamp) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_conf  dba.partition_config%ROWTYPE;
    v_from  timestamp := date_trunc('month', p_at);
    v_to    timestamp;
    v_name  text;
BEGIN
    SELECT * INTO STRICT v_conf FROM dba.partition_config WHERE parent = p_parent;
    v_to := v_from + v_conf.step;
    v_name := dba.partition_name(p_parent, v_from);
    IF to_regclass('registry.' || quote_ident(v_name)) IS NOT NULL THEN
        RETURN NULL;
    END IF;
    EXECUTE format(
        'CREATE TABLE registry.%I (CHECK (%I >= %L AND %I < %L)) INHERITS (registry.%I)',
        v_name, v_conf.part_column, v_from, v_conf.part_column, v_to, p_parent);
    EXECUTE format('ALTER TABLE registry.%I ADD PRIMARY KEY (audit_id)', v_name);
    EXECUTE format('CREATE INDEX ON registry.%I (%I)', v_name, v_conf.part_column);
    RETURN v_name;
END;
$$;

-- The partitions of a table with the bounds of their CHECK constraints.
CREATE FUNCTION dba.partition_bounds(p_parent regclass)
    RETURNS TABLE (partition text, bounds text)
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    -- consrc is good enough here, the constraints are our own
    RETURN QUERY
    SELECT c.relname::text,
           k.consrc
      FROM pg_inherits i
      JOIN pg_class c ON c.oid = i.inhrelid
      JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'c'
     WHERE i.inhparent = p_parent
     ORDER BY c.relname::text;
END;
$$;

-- Partitions whose constraint has another text than at the last release.
CREATE FUNCTION dba.constraints_changed(p_release text)
    RETURNS TABLE (name text, was text, is_now text)
    LANGUAGE sql STABLE AS $$
    SELECT s.conname,
           s.consrc,
           pg_get_expr(k.conbin, k.conrelid)
      FROM dba.constraint_snapshot s
      JOIN pg_constraint k ON k.conname = s.conname
     WHERE s.release = p_release
       AND k.contype = 'c'
       AND s.consrc IS DISTINCT FROM pg_get_expr(k.conbin, k.conrelid)
     ORDER BY s.conname;
$$;

-- Drops the oldest partitions, and returns their names.
CREATE FUNCTION dba.partition_drop_old(p_parent text, p_now timestamp) RETURNS SETOF text
    LANGUAGE plpgsql AS $$
DECLARE
    v_conf dba.partition_config%ROWTYPE;
    v_last text;
    r      record;
BEGIN
    SELECT * INTO STRICT v_conf FROM dba.partition_config WHERE parent = p_parent;
    v_last := dba.partition_name(p_parent,
                                 date_trunc('month', p_now) - v_conf.keep * v_conf.step);
    FOR r IN
        SELECT c.relname::text AS relname
          FROM pg_inherits i
          JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = to_regclass('registry.' || quote_ident(p_parent))
           AND c.relname::text < v_last
         ORDER BY 1
    LOOP
        EXECUTE format('ALTER TABLE registry.%I NO INHERIT registry.%I', r.relname, p_parent);
        EXECUTE format('DROP TABLE registry.%I', r.relname);
        RETURN NEXT r.relname;
    END LOOP;
END;
$$;

-- Columns with a default, for the documentation
CREATE FUNCTION dba.column_defaults(p_table regclass)
    RETURNS TABLE (attname text, adsrc text)
    LANGUAGE sql STABLE AS $$
    SELECT a.attname::text, pg_get_expr(d.adbin, d.adrelid)
      FROM pg_attrdef d
      JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
     WHERE d.adrelid = p_table
     ORDER BY a.attnum;
$$;

CREATE FUNCTION dba.job_start(p_job text, p_at timestamp) RETURNS bigint
    LANGUAGE sql AS $$
    INSERT INTO dba.job_log (job, started_at) VALUES (p_job, p_at) RETURNING job_id;
$$;

CREATE FUNCTION dba.job_end(p_job_id bigint, p_at timestamp, p_message text DEFAULT NULL) RETURNS void
    LANGUAGE sql AS $$
    UPDATE dba.job_log
       SET finished_at = p_at, ok = (p_message IS NULL), message = p_message
     WHERE job_id = p_job_id;
$$;

-- Seconds that a job took; NULL while it runs
CREATE FUNCTION dba.job_seconds(p_job_id bigint) RETURNS integer
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_seconds integer;
BEGIN
    SELECT extract(epoch FROM finished_at - started_at)
      INTO v_seconds
      FROM dba.job_log
     WHERE job_id = p_job_id;
    RETURN v_seconds;
END;
$$;

-- Position in the WAL, under the name that the server knows
CREATE FUNCTION dba.wal_position() RETURNS pg_lsn
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_lsn pg_lsn;
BEGIN
    IF current_setting('server_version_num')::integer >= 100000 THEN
        EXECUTE 'SELECT pg_current_wal_lsn()' INTO v_lsn;
    ELSE
        EXECUTE 'SELECT pg_current_xlog_location()' INTO v_lsn;
    END IF;
    RETURN v_lsn;
END;
$$;

GRANT USAGE ON SCHEMA dba TO th_dba;
GRANT SELECT ON ALL TABLES IN SCHEMA dba TO th_dba;
