-- Figures for the accountants; run on the first of the month
SELECT date_trunc('month', b.booked_at) AS month, s.from_port, s.to_port,
       count(*) AS bookings, sum(b.price) AS turnover
  FROM booking b
  JOIN sailing s ON s.id = b.sailing_id
 WHERE b.cancelled_at IS NULL
 GROUP BY 1, 2, 3
 ORDER BY 1, 2, 3;

-- Sailings by hour of the day
SELECT EXTRACT(hour FROM s.departs_at)::integer AS hour, count(*) AS sailings
  FROM sailing s
 GROUP BY 1
 ORDER BY 1;

-- Who changed prices by hand? current_user is what the trigger noted
SELECT c.table_name, c.changed_by AS system_user, max(c.changed_at) AS last_change
  FROM change_log c
 WHERE c.row_data->>'price' IS NOT NULL
 GROUP BY 1, 2;

-- Minutes under way, from the engines' logs
SELECT v.name, sum(e.total_time) AS total_time, sum(e.idle_time) AS idle_time
  FROM engine_log e
  JOIN sailing s ON s.id = e.sailing_id
  JOIN vessel v ON v.id = s.vessel_id
 GROUP BY v.name
 ORDER BY v.name;
