-- check constraints, for the data dictionary
\pset format aligned
\pset title 'Check constraints'

SELECT conrelid::regclass AS table_name,
       conname,
       consrc
  FROM pg_constraint
 WHERE contype = 'c'
   AND connamespace = 'public'::regnamespace
 ORDER BY 1, 2;

\pset title 'Constraints that are not validated'

SELECT conrelid::regclass AS table_name,
       conname,
       pg_get_expr(conbin, conrelid) AS consrc
  FROM pg_constraint
 WHERE contype = 'c' AND NOT convalidated
 ORDER BY 1, 2;

\pset title
