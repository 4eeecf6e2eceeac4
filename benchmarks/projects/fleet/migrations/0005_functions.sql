-- planar distance, good enough within a town
CREATE FUNCTION fleet.distance_km(a point, b point) RETURNS numeric
LANGUAGE sql IMMUTABLE AS $$
    SELECT round((a <-> b)::numeric * 111.2, 2)
$$;

CREATE FUNCTION fleet.distance_km(lat1 numeric, lon1 numeric, lat2 numeric, lon2 numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE AS $$
    SELECT fleet.distance_km(point(lon1, lat1), point(lon2, lat2))
$$;

CREATE FUNCTION fleet.date_bin(stride interval, at timestamptz, origin timestamptz) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN origin + floor(date_part('epoch', at - origin) / date_part('epoch', stride)) * stride;
END
$$;

CREATE FUNCTION fleet.touch_last_position() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO fleet.last_positions (vehicle_id, recorded_at, position)
    VALUES (NEW.vehicle_id, NEW.recorded_at, NEW.position)
    ON CONFLICT (vehicle_id) DO UPDATE
       SET recorded_at = excluded.recorded_at, position = excluded.position
     WHERE last_positions.recorded_at < excluded.recorded_at;
    RETURN NULL;
END
$$;

CREATE TRIGGER positions_touch AFTER INSERT ON fleet.positions
    FOR EACH ROW EXECUTE PROCEDURE fleet.touch_last_position();
