-- procedural languages: installed and possible

SELECT lanname, lanpltrusted FROM pg_language WHERE lanispl ORDER BY lanname;

SELECT t.tmplname AS possible, t.tmpltrusted
  FROM pg_catalog.pg_pltemplate t
 WHERE NOT EXISTS (SELECT FROM pg_language l WHERE l.lanname = t.tmplname)
 ORDER BY 1;
