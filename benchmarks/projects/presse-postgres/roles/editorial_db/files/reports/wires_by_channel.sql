-- What the agencies sent last week, by channel. For the head of the news desk.
SELECT w.agency,
       json_value(w.payload, 'channel') AS channel,
       count(*) AS wires
  FROM editorial.wire w
 WHERE w.received_at >= current_date - 7
 GROUP BY 1, 2
 ORDER BY 3 DESC;

-- Flash news only
SELECT w.wire_id, w.received_at, public.json_value(w.payload, 'headline') AS headline
  FROM editorial.wire w
 WHERE w.payload ->> 'priority' = '1'
   AND w.received_at >= current_date - 7
 ORDER BY w.received_at;
