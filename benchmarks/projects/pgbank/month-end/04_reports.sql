-- Figures for the board
\t on
\a

SELECT extract(month FROM value_date)::int AS month, count(*), sum(amount)
  FROM bank.postings
 WHERE value_date >= date_trunc('year', :'month'::date)
 GROUP BY 1
 ORDER BY 1;

SELECT bank.term_range(term) FROM bank.loans;

SELECT bank.collect_text(holder) FROM bank.accounts WHERE closed IS NULL;

SELECT n, bank.default_chance(n, 2.5) FROM generate_series(0, 6) AS n;
