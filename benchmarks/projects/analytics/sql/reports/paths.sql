-- Landing pages, without what bots make up
SELECT path, count(*) AS hits
  FROM warehouse.web_hits
 WHERE path ~ '^/[\w-~/]+$'
   AND hit_at >= date_trunc('month', now())
 GROUP BY path
HAVING count(*) > 10
 ORDER BY hits DESC
 LIMIT 200;

-- Pages of the magazine have a slug and a number
SELECT substring(path from '^/magazine/([\w-]+)') AS slug, count(*) AS hits
  FROM warehouse.web_hits
 WHERE path LIKE '/magazine/%'
 GROUP BY 1
 ORDER BY hits DESC;

-- Search pages, of which % is part of the path
SELECT count(*) AS searches
  FROM warehouse.web_hits
 WHERE path SIMILAR TO '/search/%#%2[0-9A-F]%' ESCAPE '#';
