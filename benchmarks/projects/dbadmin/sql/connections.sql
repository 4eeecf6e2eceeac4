-- who is connected, and how
SELECT a.usename, a.client_addr, s.ssl, s.cipher
  FROM pg_stat_activity a
  JOIN pg_stat_ssl s USING (pid)
 WHERE a.backend_type = 'client backend'
 ORDER BY 1, 2;

-- auditors ask for this one twice a year
SELECT count(*) AS sessions,
       count(*) FILTER (WHERE s.compression) AS compressed
  FROM pg_stat_ssl s
 WHERE s.ssl;

-- waiting for a relation
SELECT pid, left(query, 60) AS query
  FROM pg_stat_activity
 WHERE wait_event = 'relation'
 ORDER BY query_start;
