-- Cases by court for the president's monthly letter
SELECT c.name, l.cases, l.stayed, l.cases < 10 AS ignore
  FROM registry.court_load l
  JOIN registry.court c USING (court_code)
 ORDER BY l.cases DESC;

SELECT court_code, parent
  FROM registry.court
 WHERE parent IS NOT NULL;

SELECT taken_at::date AS day, max(checkpoints_timed) - min(checkpoints_timed) AS timed, max(buffers_backend) AS backend
  FROM monitor.bgwriter_history
 GROUP BY 1
 ORDER BY 1;
