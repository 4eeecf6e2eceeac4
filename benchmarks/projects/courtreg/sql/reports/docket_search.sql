\prompt 'words: ' words
SELECT c.case_no, d.entered_at, d.body
  FROM registry.docket_entry d
  JOIN registry.court_case c USING (case_id)
 WHERE to_tsvector('simple', d.body) @@ plainto_tsquery('simple', :'words')
 ORDER BY d.entered_at DESC
 LIMIT 50;
