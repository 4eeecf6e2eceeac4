-- Days between two dates without weekends; STRICT, as the old isStrict functions were
CREATE FUNCTION working_days(from_date date, to_date date) RETURNS integer
LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT count(*)::integer
      FROM generate_series($1::timestamp, $2::timestamp, interval '1 day') AS d(day)
     WHERE date_part('isodow', d.day) < 6
$$;

CREATE TABLE claim_history (
    id          bigserial PRIMARY KEY,
    claim_id    bigint NOT NULL,
    old_status  text,
    new_status  text,
    changed_at  timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION log_claim_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO claim_history (claim_id, new_status) VALUES (NEW.id, NEW.status);
    ELSIF NEW.status IS DISTINCT FROM OLD.status THEN
        INSERT INTO claim_history (claim_id, old_status, new_status)
        VALUES (NEW.id, OLD.status, NEW.status);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER claim_status_log AFTER INSERT OR UPDATE ON claim
    FOR EACH ROW EXECUTE PROCEDURE log_claim_status();
