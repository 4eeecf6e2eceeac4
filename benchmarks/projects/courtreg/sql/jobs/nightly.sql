REFRESH MATERIALIZED VIEW registry.court_load;
DELETE FROM registry.web_session WHERE seen_at < now() - interval '12 hours';
SELECT monitor.remember_bgwriter();
UPDATE monitor.document_check
   SET remark = 'checked'
 WHERE json_exists;
ANALYZE registry.court_case, registry.hearing;
