-- Verify circulation:loans on pg

BEGIN;

SELECT last_value FROM circ.loans_id_seq;

SELECT 1 / (increment_by = 10)::int
  FROM circ.member_no;

SELECT 1 / count(*)
  FROM pg_constraint
 WHERE conrelid = 'circ.loans'::regclass
   AND contype = 'f'
   AND pg_get_constraintdef(oid) LIKE '%members%';

ROLLBACK;
