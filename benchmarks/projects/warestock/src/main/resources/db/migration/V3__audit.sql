-- Hibernate quotes its identifiers here (globally_quoted_identifiers was on until 2.4).
CREATE TABLE audit_event (
    id            bigserial PRIMARY KEY,
    happened_at   timestamptz NOT NULL DEFAULT now(),
    "system_user" varchar(60) NOT NULL,
    action        varchar(30) NOT NULL,
    entity        varchar(60) NOT NULL,
    entity_id     bigint,
    detail        jsonb
);

CREATE INDEX ix_audit_event_at ON audit_event (happened_at);

CREATE FUNCTION audit_movement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO audit_event ("system_user", action, entity, entity_id)
    VALUES (coalesce(current_setting('warestock.login', true), session_user), lower(TG_OP), 'movement', NEW.id);
    RETURN NEW;
END
$$;

CREATE TRIGGER movement_audit AFTER INSERT OR UPDATE ON movement
    FOR EACH ROW EXECUTE PROCEDURE audit_movement();
