-- Run before every load. The surrogate keys of the AVLS are sorted by bytes.
\set ON_ERROR_STOP on
SELECT current_setting('lc_collate') IN ('C', 'POSIX') AS bytewise \gset
\if :bytewise
\else
    \echo 'the warehouse must have the collation C'
    SELECT 1 / 0 AS wrong_collation;
\endif

SELECT host, datname, lc_collate
  FROM ops.database_inventory
 WHERE lc_collate NOT IN ('C', 'POSIX');

SHOW lc_messages;
