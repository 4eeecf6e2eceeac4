CREATE TABLE labour_entry (
    labour_entry_id bigserial PRIMARY KEY,
    work_order_id  bigint NOT NULL REFERENCES work_order ON DELETE CASCADE,
    mechanic       text NOT NULL,
    minutes        integer NOT NULL CHECK (minutes > 0),
    booked_on      date NOT NULL DEFAULT current_date
);

CREATE FUNCTION labour_total(p_order bigint) RETURNS numeric
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(l.minutes), 0) * w.hourly_rate / 60
      FROM work_order o
      JOIN workshop w USING (workshop_id)
      LEFT JOIN labour_entry l USING (work_order_id)
     WHERE o.work_order_id = p_order
     GROUP BY w.hourly_rate
$$;

CREATE FUNCTION labour_total(p_order bigint, p_rate numeric) RETURNS numeric
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(l.minutes), 0) * p_rate / 60
      FROM labour_entry l
     WHERE l.work_order_id = p_order
$$;

CREATE FUNCTION add_labour_minutes() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE work_order
       SET total_time = total_time + NEW.minutes
     WHERE work_order_id = NEW.work_order_id;
    RETURN NEW;
END
$$;

CREATE TRIGGER labour_entry_minutes AFTER INSERT ON labour_entry
    FOR EACH ROW EXECUTE PROCEDURE add_labour_minutes();
