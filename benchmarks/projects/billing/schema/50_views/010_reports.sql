CREATE VIEW billing.revenue_by_year AS
SELECT extract(year FROM i.issued_on) AS fiscal_year,
       c.currency,
       sum(i.gross) AS gross
  FROM billing.invoices i
  JOIN billing.customers c ON c.id = i.customer_id
 WHERE i.state = 'paid'
 GROUP BY 1, 2;

CREATE VIEW billing.revenue_by_quarter AS
SELECT date_part('quarter', i.issued_on) AS quarter,
       count(*) AS invoices,
       sum(i.gross) AS gross
  FROM billing.invoices i
 GROUP BY 1;

CREATE VIEW billing.price_list AS
SELECT p.code, p.title,
       p.term::text AS term_label,
       to_char(p.price, 'FM999G990D00') AS price
  FROM billing.plans p;
