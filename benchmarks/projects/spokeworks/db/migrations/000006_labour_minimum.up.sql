-- every order is billed with 15 minutes at least
DROP FUNCTION IF EXISTS labour_total;

CREATE OR REPLACE FUNCTION labour_total(p_order bigint) RETURNS numeric
    LANGUAGE sql STABLE AS $$
    SELECT greatest(coalesce(sum(l.minutes), 0), 15) * w.hourly_rate / 60
      FROM work_order o
      JOIN workshop w USING (workshop_id)
      LEFT JOIN labour_entry l USING (work_order_id)
     WHERE o.work_order_id = p_order
     GROUP BY w.hourly_rate
$$;

DROP FUNCTION IF EXISTS labour_estimate;
DROP FUNCTION IF EXISTS labour_total(integer, numeric);
