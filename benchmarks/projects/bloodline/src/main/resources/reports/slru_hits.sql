-- Hit rate of the caches that the imports' row locks go through (incident 2022-11)
SELECT s.blks_hit,
       s.blks_read,
       round(100.0 * s.blks_hit / nullif(s.blks_hit + s.blks_read, 0), 2) AS hit_rate
  FROM pg_stat_slru s
 WHERE s.name IN ('MultiXactMember', 'MultiXactOffset');

-- Results of the analysers that were announced on the old channel
SELECT e.lab_result_id, e.sent_at
  FROM lab_event e
 WHERE e.channel IN ('Notify', 'Serial')
 ORDER BY e.sent_at;
