\ir lib/header.psql
\set minutes 30

\o /srv/reports/page_views.csv
SELECT v.page, count(*) AS views, min(v.reltime) AS first_seen,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY v.reltime) AS median
  FROM dw.page_view v
 WHERE v.reltime < :minutes * 60
 GROUP BY v.page
 ORDER BY views DESC
 LIMIT 100;
\o
