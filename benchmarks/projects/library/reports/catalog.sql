-- Checks of the catalog before a release.
\pset format unaligned
\pset tuples_only on

SELECT a.attrelid::regclass AS relation,
       a.attname,
       a.attcacheoff,
       a.attlen
  FROM pg_attribute a
 WHERE a.attrelid = 'public.books'::regclass
   AND a.attnum > 0
 ORDER BY a.attnum;

SELECT p.shelf, p.attcacheoff
  FROM public.shelf_plan p
 ORDER BY 1;

-- foreign keys by table
SELECT conrelid::regclass AS relation, count(*) AS keys
  FROM pg_constraint
 WHERE contype = 'f'
 GROUP BY 1
 ORDER BY 1;

-- constraints by table; the release notes of the schema list the numbers
SELECT conrelid::regclass AS relation, count(*) AS constraints
  FROM pg_constraint
 WHERE conrelid <> 0
   AND connamespace = 'public'::regnamespace
 GROUP BY 1
 ORDER BY 1;

-- books whose title has a word with a wildcard
SELECT book_id, title
  FROM public.books
 WHERE title SIMILAR TO '%(map|atlas)[s]?' ESCAPE '\';

SELECT portal.name, portal.statement
  FROM pg_cursors AS portal
 WHERE NOT portal.is_holdable;
