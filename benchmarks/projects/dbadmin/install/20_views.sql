CREATE OR REPLACE VIEW dba.long_locks AS
SELECT a.pid, a.usename, a.wait_event, now() - a.state_change AS waits
  FROM pg_stat_activity a, dba.thresholds t
 WHERE t.name = 'lock_wait_s'
   AND a.wait_event_type = 'Lock'
   AND now() - a.state_change > t.value * interval '1 second';

CREATE OR REPLACE VIEW dba.table_sizes AS
SELECT c.oid::regclass AS relation, pg_total_relation_size(c.oid) AS bytes
  FROM pg_class c
 WHERE c.relkind IN ('r', 'm', 'p')
   AND c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace);

COMMENT ON VIEW dba.table_sizes IS 'sizes with indexes and toast';
GRANT USAGE ON SCHEMA dba TO dba_team;
GRANT SELECT ON ALL TABLES IN SCHEMA dba TO dba_team;
