-- The weekly mail to the harbour master. bin/weekly_mail.sh runs it.
\set QUIET on
\pset border 2
\pset footer off
\pset format a

\echo 'Open calls'
SELECT id, vessel, eta, quay, berth_no
  FROM harbor.open_calls
 ORDER BY eta;

\echo 'Moves per call'
SELECT m.call_id, count(*) AS moves, sum(m.weight_kg) AS kg
  FROM harbor.container_moves m
 GROUP BY m.call_id
 ORDER BY m.call_id;

\echo 'Customs, by source'
SELECT consrc, items, total_time
  FROM harbor.customs_sources
 ORDER BY consrc;

\pset format html
\o /tmp/harbor_pilots.html
SELECT p.name, count(o.id) AS orders, to_char(max(o.ordered_for), 'DD.MM.YYYY HH24:MI') AS last_order
  FROM harbor.pilots p
  LEFT JOIN harbor.pilot_orders o ON o.pilot_id = p.id
 GROUP BY p.id, p.name
 ORDER BY p.name;
\o

\pset format unaligned
\pset tuples_only on
SELECT to_char(o.ordered_for, 'SSSS') AS second_of_day
  FROM harbor.pilot_orders o
 WHERE o.inbound
 ORDER BY o.id;
\pset format wrapped
