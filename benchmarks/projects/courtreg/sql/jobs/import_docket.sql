-- The yearly takeover of the paper dockets, typed by the archive: psql -f sql/jobs/import_docket.sql
\set ON_ERROR_STOP on
ALTER TABLE registry.docket_import SET UNLOGGED;
ALTER TABLE registry.docket_entry SET UNLOGGED;
TRUNCATE registry.docket_import;
\copy registry.docket_import FROM 'docket.csv' WITH (FORMAT csv, HEADER)

INSERT INTO registry.docket_entry (case_id, entered_at, entry_no, body, author)
SELECT c.case_id, i.entered_at::timestamptz, i.entry_no::integer, i.body, 'archive'
  FROM registry.docket_import i
  JOIN registry.court_case c ON c.case_no = i.case_no
 WHERE i.body <> '';
