CREATE TABLE audit_log (
    id            bigserial PRIMARY KEY,
    happened_at   timestamptz NOT NULL DEFAULT now(),
    table_name    text NOT NULL,
    operation     text NOT NULL,
    actor         text,
    "system_user" text,
    old_row       jsonb
);

CREATE FUNCTION audit() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO audit_log (table_name, operation, actor, "system_user", old_row)
    VALUES (TG_TABLE_NAME, TG_OP, current_setting('bikeshare.actor', true), session_user, to_jsonb(OLD));
    RETURN COALESCE(NEW, OLD);
END
$$;

CREATE TRIGGER bikes_audit AFTER UPDATE OR DELETE ON bikes
    FOR EACH ROW EXECUTE FUNCTION audit();
