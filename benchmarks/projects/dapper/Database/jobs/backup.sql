SELECT pg_start_backup('weekly', true);
SELECT pg_switch_wal();
SELECT pg_stop_backup();
SELECT 'pg_stop_backup' AS done;
