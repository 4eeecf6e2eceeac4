-- Balances of today, beside the ones of the last month end.
SET search_path = ledger, public;

SELECT a.code,
       a.name,
       a.balance AS at_month_end,
       balance(a) AS today
  FROM accounts a
 WHERE NOT a.closed
 ORDER BY a.code;
