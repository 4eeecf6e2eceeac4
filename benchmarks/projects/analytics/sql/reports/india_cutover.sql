-- Festival season: orders since the cutover of the Indian stores to the new tills.
SET TIME ZONE 'Asia/Kolkata';

SELECT store_id, count(*) AS orders, sum(amount) AS amount
  FROM warehouse.orders
 WHERE placed_at >= timestamptz '2023-10-15 00:00 IST'
 GROUP BY store_id
 ORDER BY amount DESC;

-- Control: the old tills closed the evening before, by the clock of the head office
SELECT store_id, count(*) AS orders
  FROM warehouse.orders
 WHERE placed_at >= timestamptz '2023-10-01 00:00+05:30'
   AND placed_at < timestamptz '2023-10-14 20:30 CEST'
 GROUP BY store_id;

-- Budget of the month
SELECT store_id, month,
       sum(amount) FILTER (WHERE kind = 'IST') AS "IST",
       sum(amount) FILTER (WHERE kind = 'SOLL') AS "SOLL"
  FROM warehouse.budget
 WHERE month = date '2023-10-01'
 GROUP BY store_id, month;
