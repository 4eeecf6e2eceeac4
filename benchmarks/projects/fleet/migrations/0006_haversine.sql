-- Names are kept for the reports; the old planar versions go away.
DROP FUNCTION IF EXISTS fleet.route_km(bigint);
DROP FUNCTION IF EXISTS fleet.distance_km;

CREATE FUNCTION fleet.haversine_km(lat1 numeric, lon1 numeric, lat2 numeric, lon2 numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE AS $$
    SELECT round((12742 * asin(sqrt(
        power(sin(radians(lat2::float8 - lat1::float8) / 2), 2)
        + cos(radians(lat1::float8)) * cos(radians(lat2::float8))
        * power(sin(radians(lon2::float8 - lon1::float8) / 2), 2))))::numeric, 2)
$$;

CREATE VIEW fleet.open_trips AS
SELECT t.id, v.plate, d.full_name, t."2nd_driver_id", t.started_at
  FROM fleet.trips t
  JOIN fleet.vehicles v ON v.id = t.vehicle_id
  JOIN fleet.drivers d ON d.id = t.driver_id
 WHERE t.ended_at IS NULL;
