-- Readings of the spring campaign, which began at six in the morning at the stations (IST)
SET TIME ZONE 'Asia/Kolkata';

SELECT m.station_code,
       m.depth_cm,
       count(*) AS readings,
       avg(m.value) AS mean
  FROM core.measurements m
  JOIN core.stations s ON s.code = m.station_code
 WHERE s.timezone_short = 'IST'
   AND m.measured_at >= timestamptz '2024-04-01 06:00 IST'
   AND m.measured_at < timestamptz '2024-06-01 00:00 +05:30'
 GROUP BY m.station_code, m.depth_cm
 ORDER BY m.station_code, m.depth_cm;

-- Samples on the way to the laboratory in the same time
SELECT l.sample_no, l.taken_at AT TIME ZONE 'Asia/Kolkata' AS taken_local
  FROM core.lab_samples l
 WHERE l.taken_at >= timestamptz '2024-03-01 00:00 Asia/Kolkata'
 ORDER BY l.sample_no;

RESET TIME ZONE;
