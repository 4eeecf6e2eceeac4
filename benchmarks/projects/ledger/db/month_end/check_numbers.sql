-- The tax office wants journal numbers without gaps.
\set ON_ERROR_STOP on

SELECT last_value,
       increment_by
  FROM ledger.journal_no_seq
\gset

SELECT last_value, is_called FROM ledger.journal_no_seq;

SELECT e.journal_no AS after_gap
  FROM ledger.entries e
 WHERE e.journal_no > 1
   AND NOT EXISTS (SELECT FROM ledger.entries f WHERE f.journal_no = e.journal_no - :increment_by)
 ORDER BY 1;

SELECT n.series, n.prefix, n.increment_by FROM ledger.numbering n ORDER BY n.series;

\echo last number: :last_value
