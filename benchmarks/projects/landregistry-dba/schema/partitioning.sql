-- Partition maintenance for registry.title_event and whatever else is in dba.partition_policy.
-- Loaded after registry.sql. Called from bin/rotate_partitions.sh.

CREATE FUNCTION dba.partition_name(p_table text, p_from date) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT p_table || '_' || date_part('year', p_from)::int $$;

CREATE FUNCTION dba.log_job(p_job text, p_ok boolean, p_message text) RETURNS void
    LANGUAGE sql
    AS $$ INSERT INTO dba.job_run (job, ran_at, ok, message) VALUES (p_job, clock_timestamp(), p_ok, p_message) $$;

-- Makes the partition for the year that begins at p_from, if it isn't there.
CREATE FUNCTION dba.make_partition(p_schema text, p_table text, p_from date) RETURNS text
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_name text := dba.partition_name(p_table, p_from);
    v_until date := (p_from + interval '1 year')::date;
BEGIN
    IF EXISTS (SELECT 1
                 FROM pg_catalog.pg_class c
                 JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = p_schema AND c.relname = v_name) THEN
        RETURN NULL;
    END IF;
    EXECUTE format('CREATE TABLE %I.%I PARTITION OF %I.%I FOR VALUES FROM (%L) TO (%L)',
                   p_schema, v_name, p_schema, p_table, p_from, v_until);
    EXECUTE format('CREATE INDEX %I ON %I.%I (title_id)', v_name || '_title_idx', p_schema, v_name);
    PERFORM dba.copy_defaults(p_schema, p_table, v_name);
    PERFORM dba.log_job('make_partition', true, v_name);
    RETURN v_name;
END;
$$;

-- Partitions made by hand (ATTACH) often lack the defaults of their parent: set them.
-- What was there before is kept in dba.default_snapshot, whose adsrc is plain text.
CREATE FUNCTION dba.copy_defaults(p_schema text, p_table text, p_partition text) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_column record;
    v_count integer := 0;
BEGIN
    FOR v_column IN
        SELECT a.attname, d.adsrc AS expression
          FROM pg_catalog.pg_attrdef d
          JOIN pg_catalog.pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
         WHERE d.adrelid = format('%I.%I', p_schema, p_table)::regclass
    LOOP
        EXECUTE format('ALTER TABLE %I.%I ALTER COLUMN %I SET DEFAULT %s',
                       p_schema, p_partition, v_column.attname, v_column.expression);
        v_count := v_count + 1;
    END LOOP;
    IF v_count = 0 THEN
        RAISE NOTICE 'no adsrc to copy for %', p_partition;
    END IF;
    RETURN v_count;
END;
$$;

CREATE FUNCTION dba.saved_default(p_table text, p_column text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    v_expression text;
BEGIN
    SELECT s.adsrc INTO v_expression
      FROM dba.default_snapshot s
     WHERE s.table_name = p_table AND s.column_name = p_column
     ORDER BY s.taken_on DESC
     LIMIT 1;
    RETURN v_expression;
END;
$$;

-- Rebuilds the indexes of the events: each closed year by its name, so that the log shows them,
-- and then the rest.
CREATE FUNCTION dba.rebuild_event_indexes() RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    REINDEX TABLE registry.title_event_2018;
    REINDEX INDEX registry.title_event_2019_title_idx;
    REINDEX TABLE registry.title_event;
    PERFORM dba.log_job('rebuild_event_indexes', true, NULL);
END;
$$;

CREATE FUNCTION dba.rebuild_lease_indexes() RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    REINDEX TABLE registry.lease;
    REINDEX INDEX registry.lease_length_idx;
    PERFORM dba.log_job('rebuild_lease_indexes', true, NULL);
END;
$$;

-- Detaches partitions that are older than the policy says. The rows stay.
CREATE FUNCTION dba.detach_old(p_schema text, p_table text, p_today date) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_keep integer;
    v_child text;
    v_count integer := 0;
BEGIN
    SELECT keep INTO v_keep
      FROM dba.partition_policy
     WHERE parent_schema = p_schema AND parent_table = p_table;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no policy for %.%', p_schema, p_table;
    END IF;
    FOR v_child IN
        SELECT c.relname::text
          FROM pg_catalog.pg_inherits i
          JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = format('%I.%I', p_schema, p_table)::regclass
           AND c.relkind = 'r'
           AND c.relname ~ '_[0-9]{4}$'
           AND right(c.relname, 4)::int < date_part('year', p_today)::int - v_keep
    LOOP
        EXECUTE format('ALTER TABLE %I.%I DETACH PARTITION %I.%I', p_schema, p_table, p_schema, v_child);
        v_count := v_count + 1;
    END LOOP;
    RETURN v_count;
END;
$$;

CREATE FUNCTION dba.take_table_snapshot(p_day date) RETURNS void
    LANGUAGE sql
    AS $$
    DELETE FROM dba.table_snapshot WHERE taken_on = p_day;
    INSERT INTO dba.table_snapshot (taken_on, table_name, reltuples, relpages)
    SELECT p_day, n.nspname || '.' || c.relname, GREATEST(c.reltuples, 0)::bigint, c.relpages
      FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'registry' AND c.relkind = 'r';
    $$;
