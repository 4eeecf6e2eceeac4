DROP FUNCTION IF EXISTS old_rate;
DROP FUNCTION IF EXISTS season_factor(date);
DROP FUNCTION IF EXISTS berth_rate;

CREATE FUNCTION season_factor(on_day date, floor numeric) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
    SELECT greatest($2, CASE WHEN date_part('month', $1) BETWEEN 5 AND 9 THEN 1.0 ELSE 0.6 END)
$$;

CREATE FUNCTION stay_price(stay bigint) RETURNS numeric LANGUAGE sql STABLE AS $$
    SELECT round(coalesce(r.per_metre, 0) * b.length_m, 2)
      FROM stay s
      JOIN boat b USING (boat_id)
      JOIN berth p USING (berth_id)
      LEFT JOIN rate r ON r.berth_class = p.berth_class AND r.valid @> s.arrived_at::date
     WHERE s.stay_id = $1
$$;
