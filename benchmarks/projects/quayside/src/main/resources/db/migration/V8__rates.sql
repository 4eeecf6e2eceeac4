CREATE TABLE rate (
    rate_id     serial PRIMARY KEY,
    berth_class smallint NOT NULL,
    per_metre   numeric(8,2) NOT NULL,
    normalize   boolean NOT NULL DEFAULT false,
    valid       daterange NOT NULL
);

CREATE FUNCTION berth_rate(berth integer) RETURNS numeric LANGUAGE sql STABLE AS $$
    SELECT r.per_metre FROM rate r JOIN berth b USING (berth_class)
     WHERE b.berth_id = $1 AND r.valid @> current_date
$$;
CREATE FUNCTION berth_rate(berth integer, on_day date) RETURNS numeric LANGUAGE sql STABLE AS $$
    SELECT r.per_metre FROM rate r JOIN berth b USING (berth_class)
     WHERE b.berth_id = $1 AND r.valid @> $2
$$;
CREATE FUNCTION season_factor(on_day date) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN date_part('month', $1) BETWEEN 5 AND 9 THEN 1.0 ELSE 0.6 END
$$;
CREATE FUNCTION old_rate(berth integer) RETURNS numeric LANGUAGE sql AS 'SELECT 1.0';
