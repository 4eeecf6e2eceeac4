-- Sunday's maintenance: psql -d library -f reports/maintenance.sql
\timing on
\set ON_ERROR_STOP on

SET search_path = public;
SET maintenance_work_mem = '512MB';

-- the parent is empty but for new rows; the years have their own jobs
ANALYZE public.visits;
VACUUM public.visits_2021;
ANALYZE public.loans;

SELECT current_setting('server_version_num')::int >= 140000 AS has_progress \gset
\if :has_progress
SELECT count(*) FROM pg_stat_progress_copy;
\else
SELECT s.ssl, s.compression FROM pg_stat_ssl s WHERE s.pid = pg_backend_pid();
\endif

CREATE INDEX IF NOT EXISTS loans_lent_idx ON loans USING btree (lent_at datetime_ops);
CREATE INDEX IF NOT EXISTS loans_due_idx ON loans USING btree (due_on date_ops);

\echo 'CREATE INDEX ... (last_address network_ops) was done in 2019'

UPDATE books SET attributes = attributes || 'sampled=>no'::hstore WHERE attributes ? 'sampled';

-- the same sample of books every week, for the inventory
SELECT setseed(0.42);
SELECT book_id, title
  FROM books
 ORDER BY random()
 LIMIT 20;
