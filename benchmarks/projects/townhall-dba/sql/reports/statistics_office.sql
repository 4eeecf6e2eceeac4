-- Yearly figures for the statistics office.
SET search_path = registry, public;
SET extra_float_digits = 0;
\set year 2021

\echo residents by year of birth
SELECT street, house_number, birth_year::integer AS birth_year
  FROM current_residents
 ORDER BY resident_id;

\echo deaths, mean age
SELECT date_part('month', died_on) AS month,
       round(avg(age_at_death)::numeric, 1) AS mean_age
  FROM deaths
 WHERE date_part('year', died_on) = :year
 GROUP BY 1
 ORDER BY 1;

\echo surnames of each address
SELECT a.address_id,
       text_accum(r.surname ORDER BY r.surname) AS surnames,
       distinct_accum(m.kind ORDER BY m.kind) AS kinds
  FROM addresses a
  JOIN households h USING (address_id)
  JOIN household_members m USING (household_id)
  JOIN residents r USING (resident_id)
 GROUP BY a.address_id
 ORDER BY a.address_id;

\echo addresses within their precinct
SELECT a.address_id
  FROM addresses a
 WHERE a.location <@ box '(0,0),(5,5)'
 ORDER BY a.address_id;

SELECT d.name
  FROM districts d
 WHERE d.outline @> point '(2,3)';

\echo remarks with a card number
SELECT resident_id, remarks
  FROM residents
 WHERE remarks ~ 'card [0-9]+'
 ORDER BY resident_id;

\echo tables as they were counted
SELECT relname, reltuples
  FROM dba.table_sizes
 WHERE reltuples = 0
 ORDER BY relname;

\echo one row for each month, and the number of marriages
SELECT g.month, count(m.case_no) AS marriages
  FROM generate_series(1, 12) AS g(month)
  LEFT JOIN marriages m ON date_part('month', m.married_on) = g.month
 GROUP BY g.month
 ORDER BY g.month;

\echo scans
SELECT case_no, oid_scan FROM marriages WHERE oid_scan IS NOT NULL;
