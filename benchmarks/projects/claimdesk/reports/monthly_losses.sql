-- Paid amounts by product and month; psql -f reports/monthly_losses.sql
\pset format aligned
SELECT p.product,
       date_trunc('month', y.booked_at)::date AS month,
       count(DISTINCT c.id) AS claims,
       sum(y.amount) AS paid
  FROM payment y
  JOIN claim c ON c.id = y.claim_id
  JOIN policy p ON p.id = c.policy_id
 GROUP BY p.product, 2
 ORDER BY p.product, 2;

-- Average time until a claim is closed, in days
SELECT p.product,
       round((avg(extract(epoch FROM c.closed_at - c.opened_at)) / 86400)::numeric, 1) AS days
  FROM claim c
  JOIN policy p ON p.id = c.policy_id
 WHERE c.closed_at IS NOT NULL
 GROUP BY p.product;
