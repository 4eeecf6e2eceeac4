\set ON_ERROR_STOP on
\set keep '400 days'
BEGIN;
DELETE FROM dw.page_view v
 WHERE v.session_id < (SELECT coalesce(min(b.batch_id), 0)
                         FROM etl.load_batch b
                        WHERE b.started_at > now() - :'keep'::interval);
DELETE FROM etl.staging_order s
 USING etl.load_batch b
 WHERE b.batch_id = s.batch_id AND b.finished_at < now() - interval '14 days';
COMMIT;
