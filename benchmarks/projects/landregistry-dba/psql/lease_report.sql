-- Leases by their length, for the revenue department.
\set ON_ERROR_STOP on
\set title 'HB77'

SELECT l.lease_id, l.begins_on, (l.begins_on + l.term)::date AS ends_on, l.rent
  FROM registry.lease l
  JOIN registry.title t USING (title_id)
 WHERE t.title_no = :'title'
 ORDER BY l.lease_id;

SELECT l.lease_id, l.term::text AS term, l.term_months
  FROM registry.lease l
 WHERE l.term > interval '20 years'
 ORDER BY l.term DESC, l.lease_id;

SELECT p.name, count(*) AS leases, sum(l.rent) AS rent
  FROM registry.lease l
  JOIN registry.proprietor p ON p.proprietor_id = l.lessee_id
 GROUP BY p.name
 ORDER BY sum(l.rent) DESC, p.name;

SELECT o.title_no::text, o.lender, o.amount
  FROM registry.open_charge o
 ORDER BY o.rank, o.charge_id;
