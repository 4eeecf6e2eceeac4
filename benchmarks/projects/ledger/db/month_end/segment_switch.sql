-- Ships the segment that has the month's last posting; the replacement server is newer than the old one.
DO $$
BEGIN
    IF current_setting('server_version_num')::integer < 100000 THEN
        PERFORM pg_switch_xlog();
    ELSE
        PERFORM pg_switch_wal();
    END IF;
END
$$;

-- nothing may be in pg_xlog/archive_status with .ready for longer than a minute, see the wiki
SELECT pg_is_in_backup() AS backup_is_running;
