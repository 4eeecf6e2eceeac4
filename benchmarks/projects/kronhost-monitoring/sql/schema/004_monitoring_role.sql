DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'kh_monitor') THEN
        CREATE ROLE kh_monitor NOLOGIN;
    END IF;
END
$$;

GRANT pg_monitor TO kh_monitor;
GRANT USAGE ON SCHEMA hosting TO kh_monitor;
GRANT SELECT ON ALL TABLES IN SCHEMA hosting TO kh_monitor;
GRANT EXECUTE ON FUNCTION hosting.note_health() TO kh_monitor;

-- The nightly report starts from zero
REVOKE ALL ON FUNCTION pg_stat_statements_reset FROM PUBLIC;
GRANT EXECUTE ON FUNCTION pg_stat_statements_reset(oid, oid, bigint) TO kh_monitor;
