CREATE TABLE parcel_history (
    parcel_id bigint NOT NULL REFERENCES parcels ON DELETE CASCADE,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor text,
    session text NOT NULL DEFAULT session_user,
    old_state text,
    new_state text
);

CREATE FUNCTION parcels_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state IS DISTINCT FROM OLD.state THEN
        INSERT INTO parcel_history (parcel_id, actor, old_state, new_state)
        VALUES (NEW.id, current_setting('parcels.actor', true), OLD.state, NEW.state);
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER parcels_history AFTER UPDATE OF state ON parcels
    FOR EACH ROW EXECUTE FUNCTION parcels_history();
