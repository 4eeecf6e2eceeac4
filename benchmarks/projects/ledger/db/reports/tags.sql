-- One row for each tag of the cash accounts.
SELECT a.code,
       CASE WHEN a.kind = 'cash'
            THEN unnest(a.tags)
            ELSE '(none)'
       END AS tag
  FROM ledger.accounts a
 ORDER BY a.code;
