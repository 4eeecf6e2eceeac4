-- Revalues foreign balances at the month's last rate.
\set ON_ERROR_STOP on
SET search_path = ledger, public;

PREPARE revalue (date) AS
SELECT p.currency,
       sum(CASE p.side WHEN 'debit' THEN p.amount ELSE - p.amount END) AS net,
       round(last_known(r.rate)::numeric, 4) AS rate
  FROM postings p
  JOIN entries e ON e.id = p.entry_id
  JOIN fx_rates r ON r.currency = p.currency AND r.valid_on = $1
 WHERE e.period <= $1
   AND p.currency <> 'EUR'
 GROUP BY p.currency
 ORDER BY p.currency;

EXECUTE revalue (:'month');
DEALLOCATE revalue;
