-- Growth of the disks, by month and by week

SELECT s.hostname,
       date_bin('1 month', m.taken_at, timestamptz '2025-01-01 00:00+00') AS month,
       max(m.disk_used) AS disk_used
  FROM sample m
  JOIN server s ON s.id = m.server_id
 GROUP BY 1, 2
 ORDER BY 1, 2;

SELECT s.hostname,
       public.date_bin('7 days', m.taken_at, timestamptz '2025-01-06 00:00+00') AS week,
       max(m.load1) AS load1
  FROM sample m
  JOIN server s ON s.id = m.server_id
 GROUP BY 1, 2
 ORDER BY 1, 2;

SELECT date_trunc('month', m.taken_at AT TIME ZONE 'UTC') AS date_bin,
       sum(m.disk_used) AS disk_used
  FROM sample m
 GROUP BY 1
 ORDER BY 1;

-- racks and their servers
SELECT d.code, r.label, name_list(s.hostname ORDER BY s.hostname) AS servers
  FROM rack r
  JOIN datacenter d ON d.id = r.datacenter_id
  JOIN server s ON s.rack_id = r.id
 GROUP BY d.code, r.label
 ORDER BY d.code, r.label;

-- what a role would need if all of its servers moved
SELECT role, count(*) AS servers, sum(s.cores) AS cores, sum(s.memory_gb) AS memory_gb
  FROM server s, unnest(s.roles) AS role
 WHERE s.retired_at IS NULL
 GROUP BY role
 ORDER BY role;
