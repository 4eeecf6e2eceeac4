-- Jobs of pg_cron in the database hosting; the times are UTC
SELECT cron.schedule('health', '5 * * * *', 'SELECT hosting.note_health()');
SELECT cron.schedule('usage', '20 1 * * *', 'REFRESH MATERIALIZED VIEW hosting.usage_by_customer');
SELECT cron.schedule('purge', '40 2 * * *', $$CALL hosting.purge(interval '90 days')$$);
SELECT cron.schedule('idle', '*/10 * * * *', $$SELECT hosting.end_idle_sessions('30 minutes')$$);
SELECT cron.schedule('vacuum-customers', '0 4 * * 0', 'VACUUM (ANALYZE) hosting.customer');
SELECT cron.schedule('statements', '0 0 * * *', 'SELECT pg_stat_statements_reset()');

-- Jobs that nobody needs any more; this one read checkpoints_timed
UPDATE cron.job SET active = false WHERE jobname = 'bgwriter-history';
