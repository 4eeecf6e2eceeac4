-- is there such a key in the attributes? (older than the jsonpath operators)
CREATE FUNCTION geo.json_exists(doc jsonb, field text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT doc -> field IS NOT NULL
$$;

CREATE FUNCTION geo.place_touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.tags IS DISTINCT FROM OLD.tags THEN
        NEW.tag_vector := array_to_tsvector(array_remove(NEW.tags, ''));
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER place_touch BEFORE UPDATE ON geo.place
    FOR EACH ROW EXECUTE FUNCTION geo.place_touch();

-- surveys older than this are hidden
CREATE FUNCTION geo.survey_horizon() RETURNS interval LANGUAGE sql IMMUTABLE AS $$
    SELECT interval '2.25 years'
$$;

CREATE VIEW geo.survey_hours AS
    SELECT s.surveyor, date_part('hour', s.arrived_at) AS hour, count(*) AS visits
      FROM geo.survey s
     GROUP BY 1, 2;
