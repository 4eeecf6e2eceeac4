-- Who changed the state of an incident or a unit
CREATE TABLE audit_log (
    id          bigserial PRIMARY KEY,
    at          timestamptz NOT NULL DEFAULT now(),
    actor       text,
    entity      text NOT NULL,
    entity_id   bigint NOT NULL,
    was         text,
    became      text,
    remark      text
);

CREATE FUNCTION audit_incident() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    previous text;
BEGIN
    BEGIN
        previous := OLD.status;
    EXCEPTION WHEN object_not_in_prerequisite_state THEN
        previous := '(new call)';
    END;
    INSERT INTO audit_log (actor, entity, entity_id, was, became)
    VALUES (current_user, 'incident', NEW.id, previous, NEW.status);
    RETURN NEW;
END
$$;

CREATE TRIGGER audit_incident AFTER INSERT OR UPDATE OF status ON incidents
    FOR EACH ROW EXECUTE PROCEDURE audit_incident();

CREATE FUNCTION audit_unit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF OLD.status = NEW.status THEN
            RETURN NEW;
        END IF;
    END IF;
    INSERT INTO audit_log (actor, entity, entity_id, became)
    VALUES (current_user, 'unit', NEW.id, NEW.status);
    RETURN NEW;
END
$$;

CREATE TRIGGER audit_unit AFTER INSERT OR UPDATE ON units
    FOR EACH ROW EXECUTE PROCEDURE audit_unit();
