-- as languages.sql, for the pilot host too (newer release)
SELECT current_setting('server_version_num')::int >= 130000 AS has_13 \gset

\if :has_13
SELECT name, installed_version
  FROM pg_available_extensions
 WHERE name LIKE 'pl%'
 ORDER BY name;
\else
SELECT tmplname, tmpllibrary
  FROM pg_pltemplate
 ORDER BY tmplname;
\endif
