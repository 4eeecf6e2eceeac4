-- the base backup of 2023 ended on a segment boundary; the archive must have this file
SELECT count(*) AS archived
  FROM pg_ls_archive_statusdir() s
 WHERE s.name = pg_walfile_name('16/B0000000') || '.done';

-- position of the last verified restore, in the middle of a segment
SELECT pg_walfile_name('16/B4000028') AS restore_from;

-- bytes since then
SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '16/B4000028') AS bytes_behind;
