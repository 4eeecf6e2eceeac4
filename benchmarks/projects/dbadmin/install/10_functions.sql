-- is one of our own backups running? (asks our log, not the server)
CREATE OR REPLACE FUNCTION dba.pg_is_in_backup() RETURNS boolean AS '
    SELECT EXISTS (SELECT FROM dba.backup_runs WHERE finished IS NULL)
' LANGUAGE sql STABLE;

CREATE OR REPLACE FUNCTION dba.start_job(p_job text) RETURNS bigint AS $$
DECLARE
    v_id bigint;
BEGIN
    INSERT INTO dba.job_runs (job) VALUES (p_job) RETURNING id INTO v_id;
    RETURN v_id;
END
$$ LANGUAGE 'plpgsql';

CREATE OR REPLACE FUNCTION dba.end_job(p_id bigint, p_ok boolean) RETURNS void AS $$
BEGIN
    UPDATE dba.job_runs SET ok = p_ok WHERE id = p_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no job %', p_id;
    END IF;
END
$$ LANGUAGE plpgsql;

CREATE OR REPLACE FUNCTION dba.snapshot_defaults() RETURNS bigint AS $$
DECLARE
    n bigint;
BEGIN
    INSERT INTO dba.attrdef_history (adrelid, adnum, adsrc)
    SELECT d.adrelid, d.adnum, pg_get_expr(d.adbin, d.adrelid)
      FROM pg_attrdef d
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END
$$ LANGUAGE plpgsql;
