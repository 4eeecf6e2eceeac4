-- defaults that changed since last night
\set since '1 day'

SELECT h.adrelid, h.adnum,
       h.adsrc AS was,
       pg_get_expr(d.adbin, d.adrelid) AS is_now
  FROM dba.attrdef_history h
  JOIN pg_attrdef d USING (adrelid, adnum)
 WHERE h.taken = current_date - :'since'::interval
   AND h.adsrc IS DISTINCT FROM pg_get_expr(d.adbin, d.adrelid);
