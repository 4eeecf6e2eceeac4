-- Notes the position in the log, on old and new servers
DO $$
DECLARE
    pos text;
BEGIN
    IF current_setting('server_version_num')::int >= 100000 THEN
        EXECUTE 'SELECT pg_current_wal_lsn()::text' INTO pos;
    ELSE
        EXECUTE 'SELECT pg_current_xlog_location()::text' INTO pos;
    END IF;
    RAISE NOTICE 'position %', pos;
END
$$;
