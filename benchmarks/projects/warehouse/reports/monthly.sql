\ir lib/header.psql
\if :{?year}
\else
SELECT extract(year FROM now())::int AS year \gset
\endif

\o /srv/reports/monthly.csv
SELECT g.month, m.store_id, coalesce(sum(m.amount), 0) AS amount, coalesce(sum(m.sales), 0) AS sales
  FROM (SELECT generate_series(1, 12) AS month) g
  LEFT JOIN dw.monthly_sales m ON m.month = g.month AND m.year = :year
 GROUP BY g.month, m.store_id
 ORDER BY g.month, m.store_id;
\o
