-- Orders past their promised date, urgent ones first
SELECT o.work_order_id,
       o.status,
       o.promised_on,
       current_date - o.promised_on AS days_late,
       b.brand,
       substring(b.frame_no from '[0-9]+') AS frame_digits
  FROM work_order o
  JOIN bike b USING (bike_id)
 WHERE o.closed_at IS NULL
   AND o.priority >= 1AND o.promised_on < current_date
 ORDER BY o.priority DESC, o.promised_on;

-- Visits per customer whose bike was late before
SELECT c.customer_id,
       c.full_name,
       count(*) FILTER (WHERE o.status = 'cancelled') AS cancelled,
       min(o.opened_at) AS "1st_visit",
       max(o.opened_at) AS last_visit
  FROM customer c
  JOIN bike b USING (customer_id)
  JOIN work_order o USING (bike_id)
 WHERE o.closed_at::date > o.promised_on
 GROUP BY c.customer_id, c.full_name
HAVING count(*) > 1
 ORDER BY last_visit DESC;
