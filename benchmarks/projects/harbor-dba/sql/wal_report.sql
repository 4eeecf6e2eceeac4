-- Position and volume of the write-ahead log, for the capacity sheet.
\ir _version.sql
\pset format unaligned
\pset fieldsep ';'

SELECT pg_is_in_recovery() AS standby;

\if :is_pg10
SELECT pg_walfile_name(pg_current_wal_lsn()) AS segment,
       pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes;
SELECT pg_switch_wal() IS NOT NULL AS switched;
\else
SELECT pg_xlogfile_name(pg_current_xlog_location()) AS segment,
       pg_xlog_location_diff(pg_current_xlog_location(), '0/0') AS bytes;
SELECT pg_switch_xlog() IS NOT NULL AS switched;
\endif

\if :is_pg13
ALTER SYSTEM SET wal_keep_size = '1GB';
\else
ALTER SYSTEM SET wal_keep_segments = 64;
\endif

\echo 'Segments are in pg_xlog (9.6) or pg_wal (10 and later).'
\pset format aligned
