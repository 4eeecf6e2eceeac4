-- Articles with many revisions after 21:00, which are expensive in print.
SELECT r.article_id, a.title, count(*) AS revisions, max(r."system_user") AS anyone
  FROM editorial.article_revision r
  JOIN editorial.article a USING (article_id)
 WHERE date_part('hour', r.saved_at) >= 21
   AND r.saved_at >= current_date - 30
 GROUP BY r.article_id, a.title
HAVING count(*) > 5
 ORDER BY revisions DESC;
