-- The return for the ministry: numbers by country and year of collection.
-- (json_object() of the old version of this report was replaced by plain columns.)
SELECT s.country,
       extract(year FROM a.collected_on)::int AS year,
       count(*) AS accessions,
       count(*) FILTER (WHERE a.grade = '1st') AS first_grade,
       sum(a.seed_count) AS seeds
  FROM accessions a
  JOIN sites s ON s.id = a.site_id
 WHERE a.collected_on >= :'from'::date
   AND a.collected_on < :'from'::date + interval '12 months'
 GROUP BY s.country, 2
 ORDER BY s.country, 2;

SELECT c.institute, count(DISTINCT r.id) AS requests, sum(l.seeds) AS seeds
  FROM requests r
  JOIN accounts c ON c.id = r.account_id
  JOIN request_lines l ON l.request_id = r.id
 WHERE r.shipped_at >= :'from'::date
   AND r.shipped_at < :'from'::date + interval '1.5 years'
 GROUP BY c.institute
 ORDER BY 3 DESC
 LIMIT 50 OFFSET 0;
