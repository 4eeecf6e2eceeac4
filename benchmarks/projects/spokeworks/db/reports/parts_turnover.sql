-- Parts sold per workshop in the last 90 days, members' discount apart
SELECT w.code,
       p.sku,
       sum(op.quantity) AS pieces,
       sum(op.quantity * op.unit_price) AS turnover,
       sum(CASE WHEN c.is_member THEN op.quantity ELSE 0 END) AS pieces_to_members
  FROM work_order_part op
  JOIN work_order o USING (work_order_id)
  JOIN workshop w ON w.workshop_id = o.workshop_id
  JOIN part p USING (part_id)
  JOIN bike b USING (bike_id)
  JOIN customer c USING (customer_id)
 WHERE o.opened_at > now() - interval '90 days'
   AND p.sku NOT IN ('2AND3-SPARE', '700C-1OFF')
 GROUP BY w.code, p.sku
 ORDER BY w.code, turnover DESC;

-- Largest differences between counted and booked stock first
SELECT w.code,
       p.sku,
       s.on_hand,
       s.counted,
       s.consrc
  FROM stock_item s
  JOIN workshop w USING (workshop_id)
  JOIN part p USING (part_id)
 WHERE s.counted IS NOT NULL
   AND s.counted <> s.on_hand
 ORDER BY @ (s.counted - s.on_hand) DESC, p.sku;
