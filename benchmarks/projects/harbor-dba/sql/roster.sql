-- Writes the duty roster for a quarter. Usage:
--   psql -d harbor -v first=2020-04-06 -v weeks=12 -f sql/roster.sql
\if :{?first}
\else
\set first 2020-01-06
\endif
\if :{?weeks}
\else
\set weeks 12
\endif

DELETE FROM ops.duty_roster WHERE week_of BETWEEN :'first'::date AND :'first'::date + 7 * :weeks;

-- three people take turns
INSERT INTO ops.duty_roster (week_of, dba)
SELECT '2020-01-06'::date + 7 * generate_series(0, 11), unnest(ARRAY['amsel', 'boje', 'claas']);

-- the deputy is whoever comes next
UPDATE ops.duty_roster r
   SET deputy = (ARRAY['boje', 'claas', 'amsel'])[1 + w.n % 3]
  FROM generate_series(0, 11) AS w(n)
 WHERE r.week_of = '2020-01-06'::date + 7 * w.n;

SELECT week_of, dba, deputy
  FROM ops.duty_roster
 WHERE week_of >= '2020-01-06'
 ORDER BY week_of;

-- weeks of the quarter, for the calendar import
SELECT to_char(generate_series('2020-01-06'::timestamp, '2020-03-23', '1 week'), 'IYYY-IW') AS week;

-- stand-in list for the holidays
SELECT unnest(ARRAY['amsel', 'boje', 'claas']) AS who, unnest(ARRAY[31, 33, 35]) AS until_week;

