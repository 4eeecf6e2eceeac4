-- The accountants' BI tool collects values in arrays, with NULLs, and knows this aggregate by its old name.
CREATE AGGREGATE array_accum(anyelement) (
    sfunc = array_append,
    stype = anyarray,
    initcond = '{}'
);

CREATE FUNCTION append_note(state text, note text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN note IS NULL THEN state ELSE concat_ws(E'\n', state, note) END
$$;

CREATE AGGREGATE join_notes(text) (
    sfunc = append_note,
    stype = text
);

CREATE FUNCTION turnaround_hours(p_workshop integer, p_from date, p_to date)
    RETURNS TABLE (order_no bigint, hours double precision)
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
        SELECT o.work_order_id,
               extract(epoch FROM o.closed_at - o.opened_at) / 3600
          FROM work_order o
         WHERE o.workshop_id = p_workshop
           AND o.closed_at >= p_from
           AND o.closed_at < p_to;
END
$$;

CREATE VIEW open_orders_by_weekday AS
    SELECT workshop_id,
           extract(isodow FROM opened_at)::integer AS weekday,
           count(*) AS orders
      FROM work_order
     WHERE closed_at IS NULL
     GROUP BY 1, 2;
