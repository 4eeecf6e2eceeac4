SET search_path = registry, public;

CREATE FUNCTION registry.assign_case_no() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    v_no integer;
BEGIN
    INSERT INTO registry.case_counter AS c (court_code, year, last_no)
    VALUES (NEW.court_code, extract(year FROM NEW.filed_on)::integer, 1)
    ON CONFLICT (court_code, year) DO UPDATE SET last_no = c.last_no + 1
    RETURNING last_no INTO v_no;
    NEW.case_no := NEW.type_code || '/' || to_char(NEW.filed_on, 'YYYY') || '/' || v_no;
    RETURN NEW;
END
$$;

CREATE TRIGGER assign_case_no BEFORE INSERT ON registry.court_case
    FOR EACH ROW WHEN (NEW.case_no IS NULL) EXECUTE FUNCTION registry.assign_case_no();

-- Exhibits are labelled with the year and their number in the case: 2024-1, 2024-2, 2025-3, ...
CREATE FUNCTION registry.label_exhibit() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE registry.court_case
       SET exhibit_count = exhibit_count + 1
     WHERE case_id = NEW.case_id
    RETURNING to_char(NEW.filed_on, 'YYYY-') || exhibit_count INTO NEW.label;
    NEW.digest := registry.exhibit_digest(NEW.title, NEW.label);
    RETURN NEW;
END
$$;

CREATE TRIGGER label_exhibit BEFORE INSERT ON registry.exhibit
    FOR EACH ROW EXECUTE FUNCTION registry.label_exhibit();

CREATE FUNCTION registry.no_double_booking() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM registry.hearing h
                WHERE h.room = NEW.room AND h.hearing_id <> NEW.hearing_id AND NOT h.cancelled
                  AND (h.starts_at, h.lasts) OVERLAPS (NEW.starts_at, NEW.lasts)) THEN
        RAISE EXCEPTION 'room % is taken', NEW.room USING ERRCODE = 'exclusion_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER no_double_booking AFTER INSERT OR UPDATE ON registry.hearing
    DEFERRABLE INITIALLY IMMEDIATE
    FOR EACH ROW EXECUTE FUNCTION registry.no_double_booking();
