-- Checksums of the tables that the terminal operator gets a copy of. Both sides run this script, and compare.

SELECT count(*) AS calls, md5(string_agg(p.id || ':' || p.vessel_id, ',' ORDER BY p.id)) AS checksum
  FROM harbor.port_calls p;

SELECT count(*) AS berths,
       md5(string_agg(b.quay || b.berth_no || ':' || b.depth_cm::text, ',' ORDER BY b.quay, b.berth_no)) AS checksum
  FROM harbor.berths b;

SELECT count(*) AS soundings,
       md5(string_agg(s.id || ':' || s.depth_m::text, ',' ORDER BY s.id)) AS checksum
  FROM harbor.soundings s;

-- the hydrographers compare whole centimetres only
SELECT count(*) AS soundings,
       md5(string_agg(s.id || ':' || s.depth_cm::text, ',' ORDER BY s.id)) AS checksum
  FROM harbor.soundings s;

SELECT md5(string_agg(round(s.depth_m::numeric, 2)::text, ',' ORDER BY s.id)) AS rounded
  FROM harbor.soundings s;

SELECT md5(string_agg(i.amount::text, ',' ORDER BY i.id)) AS amounts
  FROM harbor.invoices i;

SELECT count(*) AS deep FROM harbor.soundings s WHERE s.depth_m > 14.5;

SELECT ops.sha256(v.imo) AS label FROM harbor.vessels v ORDER BY v.id LIMIT 2;
