SELECT o.order_id,
       o.customer_id,
       CASE
           WHEN EXTRACT(hour FROM o.order_date) >= 20 THEN 'evening'
           ELSE 'day'
       END AS part_of_day
  FROM staging.orders o
 WHERE o.created_at > now() - interval '30d'
   AND o.state = 'late';
