-- Months of the year, with what was booked.
SELECT m::date AS period,
       CASE WHEN m > now() THEN 'open' ELSE 'past' END AS state,
       coalesce(sum(t.debit), 0) AS debit
  FROM generate_series(date_trunc('year', now()), date_trunc('year', now()) + interval '11 months', interval '1 month') AS m
  LEFT JOIN ledger.period_totals t ON t.period = m::date
 GROUP BY m
 ORDER BY m;

SELECT period, code, net
  FROM ledger.trial_balance
 WHERE period > current_date - interval '1.99 years'
 ORDER BY period, code;
