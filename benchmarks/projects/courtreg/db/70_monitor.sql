SET search_path = monitor, public;

-- Large tables whose columns have nobody's attention yet: the DBA sets their statistics by hand.
CREATE FUNCTION monitor.untuned_columns(p_min_pages integer DEFAULT 1000)
    RETURNS TABLE (relation regclass, column_name name)
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT a.attrelid::regclass, a.attname
      FROM pg_catalog.pg_attribute a
      JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'registry'::regnamespace
       AND c.relkind IN ('r', 'p')
       AND c.relpages >= p_min_pages
       AND a.attnum > 0
       AND NOT a.attisdropped
       AND a.attstattarget = -1;
END
$$;

CREATE FUNCTION monitor.tuned_columns()
    RETURNS TABLE (relation regclass, column_name name, target integer)
    LANGUAGE sql STABLE AS $$
    SELECT a.attrelid::regclass, a.attname, a.attstattarget::integer
      FROM pg_catalog.pg_attribute a
     WHERE a.attstattarget > 100
$$;

CREATE FUNCTION monitor.remember_bgwriter() RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_timed bigint;
BEGIN
    IF current_setting('server_version_num')::integer >= 170000 THEN
        SELECT num_timed INTO v_timed FROM pg_catalog.pg_stat_checkpointer;
    ELSE
        SELECT checkpoints_timed INTO v_timed FROM pg_catalog.pg_stat_bgwriter;
    END IF;
    INSERT INTO monitor.bgwriter_history (checkpoints_timed) VALUES (v_timed);
END
$$;

CREATE VIEW monitor.zone_abbreviation AS
SELECT abbrev, utc_offset FROM pg_timezone_abbrevs WHERE is_dst;
