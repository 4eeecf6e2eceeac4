-- name: timetable_of_port
SELECT t.id, t.from_code, t.to_code, t.departs, t.duration_text, t.minutes
  FROM timetable t
 WHERE t.from_code = %(port)s
 ORDER BY t.departs, t.id;

-- name: free_sailings
SELECT s.id, s.departs_at, s.arrives_at, v.name AS vessel, s.seats_left, s.lane_metres_left
  FROM sailings s
  JOIN crossings c ON c.id = s.crossing_id
  JOIN vessels v ON v.id = s.vessel_id
 WHERE NOT s.cancelled
   AND s.seats_left >= 1
   AND s.departs_at > %(now)s
 ORDER BY s.departs_at, s.id
 LIMIT 50;

-- name: departures_by_hour
SELECT date_part('hour', s.departs_at AT TIME ZONE 'Europe/Athens') AS hour,
       date_part('dow', s.sails_on) AS weekday,
       count(*) AS sailings
  FROM sailings s
 GROUP BY 1, 2
 ORDER BY 1, 2;

-- name: gate_slots
-- the own function: it takes the quay's opening as the origin
SELECT public.date_bin('15 minutes', s.departs_at - c.check_in, '2024-01-01 00:00+02') AS slot,
       count(*) AS sailings
  FROM sailings s
  JOIN crossings c ON c.id = s.crossing_id
 GROUP BY 1
 ORDER BY 1;

-- name: vessels_in_roads
SELECT p.code, r.vessel_id, r.knots
  FROM ports p
  JOIN position_reports r ON r.at_position <@ p.roads
 ORDER BY p.code, r.vessel_id;

-- name: ports_by_code
SELECT p.id, p.code, p.name
  FROM ports p
 WHERE p.code ~ %(pattern)s
 ORDER BY p.code;

-- name: distance_to_roads
SELECT p.code, round((@ (p.berth[0] - 24.0))::numeric, 2) AS off_meridian
  FROM ports p
 ORDER BY p.code;
