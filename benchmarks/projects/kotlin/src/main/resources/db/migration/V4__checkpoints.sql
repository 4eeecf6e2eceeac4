CREATE FUNCTION checkpoints() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    -- checkpoints_timed and checkpoints_req together
    total bigint;
BEGIN
    SELECT checkpoints_timed
      INTO total
      FROM pg_stat_bgwriter;
    RETURN total;
END $$;
CREATE FUNCTION cleaned() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT buffers_clean FROM pg_stat_bgwriter);
END $$;
