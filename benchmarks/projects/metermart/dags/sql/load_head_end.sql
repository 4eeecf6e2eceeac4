-- The head end writes local times with the zone's abbreviation.
SET TimeZone = 'Asia/Kolkata';

INSERT INTO raw.readings (meter_id, read_at, kwh, quality, batch)
SELECT m.meter_id,
       h.raw_at::timestamptz,
       round(replace(h.raw_value, ' ', '')::numeric, 3),
       h.quality,
       h.batch
  FROM raw.head_end_messages h
  JOIN raw.meters m ON m.serial = h.serial
 WHERE h.batch = 'b-0302'
ON CONFLICT (meter_id, read_at) DO NOTHING;

-- Times without the abbreviation, for the comparison with the old loader.
SELECT h.message_id,
       left(h.raw_at, 16)::timestamp AT TIME ZONE 'Asia/Kolkata' AS read_at,
       to_timestamp(h.raw_at, 'YYYY-MM-DD HH24:MI') AS by_format
  FROM raw.head_end_messages h
 ORDER BY h.message_id;

-- Half-hours up to the changeover were in GMT.
SELECT r.meter_id, r.kwh
  FROM raw.readings r
 WHERE r.read_at <= '2024-03-01 05:00 GMT'
 ORDER BY r.meter_id, r.read_at;

RESET TimeZone;
