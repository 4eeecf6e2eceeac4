-- Verify circulation:items on pg

BEGIN;

SELECT id, barcode, shelf, price, tags, marc
  FROM circ.items
 WHERE FALSE;

SELECT 1 / count(*)
  FROM pg_constraint
 WHERE conrelid = 'circ.items'::regclass
   AND contype = 'c'
   AND consrc LIKE '%barcode%';

SELECT 1 / count(*)
  FROM information_schema.tables
 WHERE table_schema = 'circ' AND table_name = 'items' AND table_type = 'BASE TABLE';

ROLLBACK;
