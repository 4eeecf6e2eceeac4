-- Distances on the sphere, metres
CREATE FUNCTION haversine_m(lat1 float8, lon1 float8, lat2 float8, lon2 float8)
RETURNS float8
AS $$
    SELECT 2 * 6371000 * asin(sqrt(
        sin(radians(lat2 - lat1) / 2) ^ 2
        + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lon2 - lon1) / 2) ^ 2))
$$ LANGUAGE sql IMMUTABLE
WITH (isStrict);

CREATE FUNCTION bearing_deg(a point, b point) RETURNS float8
    LANGUAGE sql IMMUTABLE STRICT
    AS $$ SELECT degrees(atan2(b[0] - a[0], b[1] - a[1])) $$;

-- Rules by which a call is refused by the planner; isstrict ones can't be overridden
CREATE TABLE routing_rules (
    id          serial PRIMARY KEY,
    zone_id     integer REFERENCES zones,
    expression  text NOT NULL,
    isstrict    boolean NOT NULL DEFAULT false
);
