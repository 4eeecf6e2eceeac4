-- name: foreign_keys
SELECT conrelid::regclass AS relation, conname
  FROM pg_constraint
 WHERE contype = 'f' AND connamespace = 'platform'::regnamespace
 ORDER BY 1, 2;

-- name: samples
SELECT device_id, wal_sync
  FROM platform.storage_sample
 ORDER BY device_id;

-- name: contexts
SELECT count(*) > 0 AS known
  FROM pg_backend_memory_contexts
 WHERE name = 'TopMemoryContext';

-- name: known_relations
SELECT to_regclass('platform.rule') IS NOT NULL AS rules;
