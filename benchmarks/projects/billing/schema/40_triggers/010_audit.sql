CREATE FUNCTION billing.audit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = billing, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        INSERT INTO audit_log (relation, digest, old_row)
        VALUES (TG_TABLE_NAME, row_digest(to_jsonb(OLD)), to_jsonb(OLD));
        RETURN OLD;
    END IF;
    INSERT INTO audit_log (relation, digest, new_row)
    VALUES (TG_TABLE_NAME, row_digest(to_jsonb(NEW)), to_jsonb(NEW));
    RETURN NEW;
END
$$;

CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON billing.customers
    FOR EACH ROW EXECUTE FUNCTION billing.audit();
CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON billing.invoices
    FOR EACH ROW EXECUTE FUNCTION billing.audit();
