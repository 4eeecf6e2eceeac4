-- Small functions for reports and for ad-hoc work at the prompt.

-- 'MSKU1234567' -> true if the check digit's position holds a digit
CREATE OR REPLACE FUNCTION ops.is_container_no(code text) RETURNS boolean AS $$
    SELECT code ~ '^[A-Z]{3}[UJZ][0-9]{7}$'
$$ LANGUAGE sql IMMUTABLE STRICT;

-- cubic metres from the three edges in centimetres
CREATE OR REPLACE FUNCTION ops.cbm(l integer, w integer, h integer) RETURNS numeric AS $$
BEGIN
    RETURN round(l::numeric * w * h / 1000000, 3);
END
$$ LANGUAGE plpgsql IMMUTABLE
   WITH (isStrict);

-- remaining calls of a counter before it overflows
CREATE OR REPLACE FUNCTION ops.counter_headroom(counter text) RETURNS bigint AS $$
    SELECT (c.max_value - c.last_value) / c.increment_by FROM ops.counters c WHERE c.name = counter
$$ LANGUAGE sql STABLE STRICT;

-- opens a row in the log, returns its number
CREATE OR REPLACE FUNCTION ops.job_start(job_name text) RETURNS integer AS $$
DECLARE
    job_id integer;
BEGIN
    INSERT INTO ops.job_log (job) VALUES (job_name) RETURNING id INTO job_id;
    RETURN job_id;
END
$$ LANGUAGE plpgsql;

CREATE OR REPLACE FUNCTION ops.job_end(job_id integer, success boolean) RETURNS void AS $$
BEGIN
    UPDATE ops.job_log
       SET (finished_at, ok) = (clock_timestamp(), success),
           total_time = clock_timestamp() - started_at
     WHERE id = job_id;
END
$$ LANGUAGE plpgsql;

DROP FUNCTION IF EXISTS ops.file_checksum(text);

-- number of decimals that an amount needs
CREATE OR REPLACE FUNCTION ops.decimals(amount numeric) RETURNS integer AS $$
    SELECT ops.min_scale(amount)
$$ LANGUAGE sql IMMUTABLE;
