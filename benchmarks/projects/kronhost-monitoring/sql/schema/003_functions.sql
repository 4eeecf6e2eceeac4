CREATE FUNCTION hosting.gigabytes(bytes bigint) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
    SELECT pg_catalog.round(bytes / 1073741824.0, 2)
$$;

-- Sorted, without duplicates
CREATE FUNCTION hosting.array_sort(items text[]) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg(DISTINCT i ORDER BY i) FROM unnest(items) AS i
$$;

CREATE MATERIALIZED VIEW hosting.usage_by_customer AS
    SELECT w.customer_id, hosting.gigabytes(sum(t.bytes_out)::bigint) AS gb_out
      FROM hosting.traffic t
      JOIN hosting.website w ON w.id = t.website_id
     GROUP BY w.customer_id;

CREATE FUNCTION hosting.note_health() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO hosting.table_health (relation, num_dead_tuples, bytes)
    SELECT s.relid::regclass::text, s.n_dead_tup, pg_total_relation_size(s.relid)
      FROM pg_stat_user_tables s
     WHERE s.schemaname = 'hosting';
END
$$;

CREATE FUNCTION hosting.end_idle_sessions(longer_than interval) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    ended bigint;
BEGIN
    SELECT count(*) FILTER (WHERE pg_terminate_backend(a.pid)) INTO ended
      FROM pg_stat_activity a
     WHERE a.backend_type = 'client backend'
       AND a.state = 'idle in transaction'
       AND a.state_change < now() - longer_than;
    RETURN ended;
END
$$;

CREATE PROCEDURE hosting.purge(keep interval) LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM hosting.refused_request WHERE at < now() - keep;
    COMMIT;
    DELETE FROM hosting.import_error WHERE at < now() - keep;
    COMMIT;
    DELETE FROM cron.job_run_details WHERE end_time < now() - interval '14 days';
END
$$;
