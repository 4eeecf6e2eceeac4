DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'cdc_stream') THEN
        CREATE ROLE cdc_stream NOLOGIN;
    END IF;
END
$$;

GRANT USAGE ON SCHEMA cdc TO cdc_stream;
GRANT SELECT, INSERT, UPDATE, TRIGGER ON cdc.outbox TO cdc_stream;
GRANT SELECT, INSERT, UPDATE ON cdc.position, cdc.heartbeat TO cdc_stream;
GRANT SELECT ON cdc.source TO cdc_stream;
