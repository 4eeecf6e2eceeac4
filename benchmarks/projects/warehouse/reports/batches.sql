\ir lib/header.psql
\set days 7

SELECT last_value AS used, max_value AS allowed FROM etl.batch_seq \gset
SELECT max_value AS warn_at FROM etl.threshold WHERE name = 'batch_seq' \gset
SELECT :used::numeric / :allowed > :warn_at AS nearly_full \gset
\if :nearly_full
\echo 'batch numbers run out:' :used 'of' :allowed
\endif

\o /srv/reports/batches.csv
SELECT b.source, b.started_at, b.finished_at - b.started_at AS took, b.rows_loaded,
       round(extract(epoch FROM b.finished_at - b.started_at)) AS seconds
  FROM etl.load_batch b
 WHERE b.started_at > now() - :days * interval '1 day'
 ORDER BY b.started_at;
\o
