-- psql -f snapshot.sql before the storage snapshot
SELECT current_setting('server_version_num')::int < 150000 AS old_names \gset
\if :old_names
SELECT pg_start_backup('storage', true, false);
\else
SELECT pg_backup_start('storage', true);
\endif
