-- Vessels in a harbour now
WITH latest AS (
    SELECT DISTINCT ON (vessel_id) vessel_id, seen_at, position
      FROM vessel_position
     ORDER BY vessel_id, seen_at DESC
)
SELECT p.code, p.name, v.name AS vessel, l.seen_at
  FROM latest l
  JOIN vessel v ON v.id = l.vessel_id
  JOIN port p ON l.position @ p.harbour;

-- Harbours that overlap, which is a mistake of the chart
SELECT a.code, b.code AS other
  FROM port a
  JOIN port b ON a.code < b.code AND a.harbour && b.harbour;

-- Vessels of the old fleet have call signs that begin with OX
SELECT name, call_sign FROM vessel WHERE call_sign ~ '^OX' ORDER BY name;
