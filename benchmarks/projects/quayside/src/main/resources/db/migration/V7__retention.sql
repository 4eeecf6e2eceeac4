CREATE FUNCTION purge_old_readings() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    removed bigint;
BEGIN
    -- the supplier may bill us for that long
    DELETE FROM meter_reading
     WHERE read_at < date_trunc('month', now()) - interval '2.3 years';
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN removed;
END $$;

CREATE FUNCTION retention(kind text) RETURNS interval LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    CASE kind
        WHEN 'stay' THEN RETURN interval '7.5 years';
        WHEN 'notice' THEN RETURN interval '0.25 years';
        WHEN 'session' THEN RETURN interval '2.5 hours';
        ELSE RETURN interval '1.5 months';
    END CASE;
END $$;
