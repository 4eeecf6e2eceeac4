\ir lib/header.psql
\if :old_server
SELECT pg_xlog_location_diff(pg_current_xlog_location(), '0/0') AS written \gset
\else
SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS written \gset
\endif
\qecho `date +%F` :written
\echo 'if the standby falls behind, raise wal_keep_segments on the primary'
