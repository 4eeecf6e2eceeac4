-- Columns that still have the default target although their estimates were bad
SELECT a.attrelid::regclass AS relation, a.attname
  FROM pg_attribute a
  JOIN quality.column_stats q ON q.relation = a.attrelid::regclass::text AND q.attname = a.attname::text
 WHERE a.attnum > 0
   AND a.attstattarget = -1
   AND q.null_frac > 0.5;

-- of the snapshots: never raised until now
SELECT relation, attname, min(seen_on) AS since
  FROM quality.column_stats
 WHERE attstattarget = -1
 GROUP BY relation, attname;
