-- Entries of the inventory that somebody should look at

-- names that DNS can't have
SELECT id, hostname
  FROM server
 WHERE hostname !~ '^[\w.-]+$'
 ORDER BY id;

-- names that don't follow the scheme role-number or role and number
SELECT id, hostname
  FROM server
 WHERE hostname !~ '^\w+-?\d+\.[[:alnum:]]+\.example$'
 ORDER BY id;

-- domains with odd characters
SELECT id, name
  FROM domain
 WHERE name ~ '[^\w.-]'
 ORDER BY id;

-- document roots outside of /srv/www
SELECT v.id, v.docroot
  FROM vhost v
 WHERE v.docroot !~ '^/srv/www/[a-z0-9_-]+$'
 ORDER BY v.id;

-- accounts that run jobs without being root
SELECT c."system_user", count(*) AS jobs
  FROM cron_job c
 WHERE c."system_user" NOT IN ('root', 'postgres')
 GROUP BY 1
 ORDER BY 1;

SELECT s.hostname, c.system_user, c.command
  FROM cron_job c
  JOIN server s ON s.id = c.server_id
 WHERE c.command LIKE '/usr/%'
 ORDER BY c.id;

-- jobs that take long
SELECT c.command, avg(r.total_time) AS seconds, max(r.exit_code) AS worst
  FROM job_run r
  JOIN cron_job c ON c.id = r.cron_job_id
 GROUP BY c.command
 ORDER BY seconds DESC;

-- labels for the door signs
SELECT public.json_array(s.hostname, r.label)::text AS sign
  FROM server s
  JOIN rack r ON r.id = s.rack_id
 ORDER BY s.id;

-- certificates that end this year, one line for the ticket
SELECT d.name || ' (' || c.issuer || ')' AS certificate, coalesce(c.compression, 'none') AS compression
  FROM certificate c
  JOIN domain d ON d.id = c.domain_id
 WHERE c.not_after < timestamptz '2026-01-01 00:00+00'
 ORDER BY c.not_after;
