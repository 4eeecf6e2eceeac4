-- Children of the partitioned tables, with their bounds and sizes in pages.
\set parent container_moves

SELECT d.partition, d.bound
  FROM ops.partition_bound_defs d
 ORDER BY d.partition::text;

SELECT c.oid::regclass AS child,
       c.relpages,
       EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary) AS relhaspkey
  FROM pg_class c
  JOIN pg_inherits h ON h.inhrelid = c.oid
 WHERE h.inhparent = ('harbor.' || :'parent')::regclass
 ORDER BY 1;

SELECT k.conname, pg_get_constraintdef(k.oid) AS consrc
  FROM pg_constraint k
 WHERE k.conrelid = 'harbor.container_moves_2020_01'::regclass AND k.contype = 'c';

SELECT i.consrc FROM harbor.customs_items i WHERE i.consrc <> 'paper' ORDER BY i.id;

SELECT r.parent, r.keep_months
  FROM ops.retention_rules r
 WHERE r.parent = :'parent';

-- who is connected to this database besides me
SELECT count(*) AS others
  FROM pg_stat_activity
 WHERE datname = current_database() AND pid <> pg_backend_pid();
