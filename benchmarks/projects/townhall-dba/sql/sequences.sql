-- How far are the sequences from their end? Blank forms are counted, too.
SET search_path = registry, public;

-- numbers of residents must stay below nine digits
SELECT last_value,
       max_value,
       last_value::numeric / 999999999 AS used
  FROM residents_resident_id_seq;

SELECT last_value, is_called
  FROM documents_document_id_seq;

-- blank forms that are left in the cupboard
SELECT n.type_code,
       n.max_value - n.start_value + 1 AS delivered,
       (n.max_value - s.last_value) / n.increment_by AS remaining
  FROM number_ranges n
 CROSS JOIN documents_document_id_seq s
 WHERE n.sequence_name = 'documents_document_id_seq';

SELECT sequence_name::text AS name,
       maximum_value::text AS max_value
  FROM information_schema.sequences
 WHERE sequence_schema = 'registry'
   AND sequence_name::text LIKE 'audit%';

-- all numbers that were handed out
SELECT s.log_cnt >= 0 AS used
  FROM audit_log_audit_id_seq s;
