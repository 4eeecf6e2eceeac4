-- Functions of payroll and dba

CREATE FUNCTION payroll.net_amount(gross numeric, tax numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT gross - tax $$;

-- the old form, for payslips before 2016 (solidarity surcharge apart)
CREATE FUNCTION payroll.net_amount(gross numeric, tax numeric, surcharge numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT gross - tax - surcharge $$;

CREATE FUNCTION payroll.overtime(hours numeric, weekly numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE AS $$ SELECT greatest(hours - weekly, 0) $$;

CREATE FUNCTION payroll.overtime(hours integer, weekly integer) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$ SELECT greatest(hours - weekly, 0) $$;

CREATE FUNCTION payroll.church_tax_2009(gross numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE AS $$ SELECT round(gross * 0.09, 2) $$;

-- The client's program computes the same checksum over the entries that it sent.
CREATE FUNCTION payroll.entries_checksum(p_run bigint) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
    result text;
BEGIN
    SELECT md5(string_agg(t.employee_id || ':' || t.hours::text, ',' ORDER BY t.id))
      INTO result
      FROM payroll.time_entries t
     WHERE t.pay_run_id = p_run;
    RETURN result;
END $$;

CREATE FUNCTION payroll.payslips_checksum(p_run bigint) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
    result text;
BEGIN
    SELECT md5(string_agg(s.employee_id || ':' || s.net::text, ',' ORDER BY s.id))
      INTO result
      FROM payroll.payslips s
     WHERE s.pay_run_id = p_run;
    RETURN result;
END $$;

-- from the first release, 2006
CREATE FUNCTION payroll.iban_country(iban text) RETURNS text AS $$
BEGIN
    RETURN upper(substr(replace(iban, ' ', ''), 1, 2));
END $$ LANGUAGE plpgsql WITH (isStrict);

-- WITH (isStrict) was replaced here in 2014
CREATE FUNCTION payroll.iban_bank(iban text) RETURNS text AS $$
BEGIN
    RETURN substr(replace(iban, ' ', ''), 5, 5);
END $$ LANGUAGE plpgsql IMMUTABLE STRICT;

CREATE FUNCTION payroll.close_run(p_run bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE payroll.pay_runs SET status = 'closed', closed_at = now() WHERE id = p_run AND status = 'open';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'pay run % is not open', p_run;
    END IF;
END $$;

-- True while our own backup script is at work on any host
CREATE FUNCTION dba.pg_is_in_backup() RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM dba.backup_log WHERE finished_at IS NULL)
$$;

CREATE FUNCTION dba.note_sizes() RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    r record;
    n integer := 0;
BEGIN
    FOR r IN
        SELECT c.oid, n.nspname, c.relname
          FROM pg_class c
          JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE c.relkind = 'r' AND n.nspname IN ('payroll', 'dba')
    LOOP
        INSERT INTO dba.table_sizes (table_name, bytes)
        VALUES (format('%I.%I', r.nspname, r.relname), pg_total_relation_size(r.oid));
        n := n + 1;
    END LOOP;
    RETURN n;
END $$;

CREATE FUNCTION dba.sample_waits() RETURNS void
LANGUAGE sql AS $$
    INSERT INTO dba.wait_samples (kind, sessions)
    SELECT wait_event_type, count(*)
      FROM pg_stat_activity
     WHERE backend_type = 'client backend' AND wait_event_type IN ('Lock', 'LWLock', 'IO')
     GROUP BY wait_event_type
$$;
