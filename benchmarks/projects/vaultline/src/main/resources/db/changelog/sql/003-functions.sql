--liquibase formatted sql

--changeset oliver:003-text-helpers splitStatements:false
CREATE FUNCTION strip_marks(value text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT translate(value, ' -./_', '')
$$;

CREATE FUNCTION digits_only(value text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT pg_catalog.regexp_replace(value, '[^0-9]', '', 'g')
$$;

CREATE FUNCTION box_sort_key(box_no text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
    RETURN lpad(upper(strip_marks(box_no)), 10, '0');
END
$$;

CREATE FUNCTION phone_key(phone text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
    RETURN right(public.digits_only(phone), 9);
END
$$;

CREATE FUNCTION serial_key(serial_no text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT
    SET search_path = public, pg_temp AS $$
BEGIN
    RETURN upper(strip_marks(serial_no));
END
$$;

CREATE FUNCTION email_key(email text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
    RETURN lower(btrim(email));
END
$$;

CREATE FUNCTION member_key(member_no text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
    RETURN 'M' || digits_only(member_no);
END
$$;
COMMENT ON FUNCTION member_key(text) IS 'for letters and the kiosk, not indexed';

--changeset oliver:003-indexes
CREATE UNIQUE INDEX boxes_sort_idx ON boxes (vault_id, box_sort_key(box_no));
CREATE INDEX customers_phone_idx ON customers (phone_key(phone));
CREATE UNIQUE INDEX box_keys_serial_idx ON box_keys (serial_key(serial_no));
CREATE INDEX customers_email_idx ON customers (email_key(email));

--changeset oliver:003-triggers splitStatements:false
CREATE FUNCTION visit_day_from_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.visit_day := (NEW.entered_at AT TIME ZONE 'Europe/Zurich')::date;
    RETURN NEW;
END
$$;
CREATE TRIGGER visits_set_day BEFORE INSERT OR UPDATE OF entered_at ON visits
    FOR EACH ROW EXECUTE FUNCTION visit_day_from_entry();

CREATE FUNCTION audit_lease() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO audit_log ("system_user", action, payload)
    VALUES (coalesce(nullif(current_setting('vaultline.caller', true), ''), 'batch'), 'lease.' || lower(TG_OP),
            jsonb_build_object('lease', NEW.id, 'box', NEW.box_id));
    RETURN NEW;
END
$$;
CREATE TRIGGER leases_audit AFTER INSERT OR UPDATE ON leases
    FOR EACH ROW EXECUTE FUNCTION audit_lease();

CREATE FUNCTION lease_end(begins date, term interval) RETURNS date LANGUAGE sql IMMUTABLE AS $$
    SELECT (begins + term - interval '1 day')::date
$$;
--rollback DROP FUNCTION lease_end(date, interval);

--changeset oliver:003-views
CREATE VIEW current_leases AS
SELECT l.id, l.box_id, l.customer_id, b.box_no, b.vault_id, lower(l.period) AS begins, upper(l.period) AS ends
  FROM leases l
  JOIN boxes b ON b.id = l.box_id
 WHERE l.cancelled_at IS NULL;

CREATE VIEW free_boxes AS
SELECT b.id, b.box_no, b.size_code, b.tier, v.branch_id
  FROM boxes b
  JOIN vaults v ON v.id = b.vault_id
 WHERE NOT b.out_of_service
   AND NOT EXISTS (SELECT FROM current_leases c WHERE c.box_id = b.id AND c.ends > date '2024-06-01');

CREATE VIEW audit_callers AS
SELECT a.system_user AS caller, count(*) AS entries, max(a.at) AS last_seen
  FROM audit_log a
 GROUP BY a.system_user;
