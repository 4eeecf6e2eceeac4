DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tram_reports') THEN
        CREATE ROLE tram_reports NOLOGIN;
    END IF;
END
$$;

GRANT SELECT, TRIGGER ON trams, work_orders TO tram_reports;
GRANT SELECT ON open_work TO tram_reports;
COMMENT ON TABLE host_samples IS 'nightly numbers: wal_write and wal_sync come from our agent';
