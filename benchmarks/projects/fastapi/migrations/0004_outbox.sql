CREATE SCHEMA util;

CREATE FUNCTION util.json_value(doc jsonb, key text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$ SELECT doc ->> key $$;

CREATE TABLE outbox (
    id bigserial PRIMARY KEY,
    parcel_id bigint NOT NULL REFERENCES parcels ON DELETE CASCADE,
    body text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    claimed_at timestamptz,
    sent_at timestamptz
);

CREATE FUNCTION enqueue_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO outbox (parcel_id, body)
    VALUES (NEW.id, json_build_object('code', NEW.tracking_code,
                                      'to', util.json_value(NEW.payload, 'recipient'))::text);
    RETURN NULL;
END
$$;

CREATE TRIGGER enqueue_delivery AFTER UPDATE OF delivered_at ON parcels
    FOR EACH ROW WHEN (OLD.delivered_at IS NULL AND NEW.delivered_at IS NOT NULL)
    EXECUTE FUNCTION enqueue_delivery();
