-- Deploy circulation:statistics to pg
-- requires: loan_functions

BEGIN;

SET LOCAL search_path = circ, public;

CREATE VIEW loans_by_weekday AS
SELECT extract(dow FROM loaned_at) AS weekday,
       count(*) AS loans
  FROM loans
 GROUP BY 1;

CREATE VIEW loans_by_month AS
SELECT date_part('month', loaned_at) AS month,
       count(*) AS loans
  FROM loans
 GROUP BY 1;

COMMIT;
