-- JSON helper of the first release, written for servers that had none
CREATE FUNCTION public.json_value(doc jsonb, field text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT doc ->> field
$$;

-- true while the nightly copy of the source's volume runs (a flag of ours, set by ops)
CREATE TABLE cdc.flag (name text PRIMARY KEY, raised boolean NOT NULL DEFAULT false);

CREATE FUNCTION cdc.pg_is_in_backup() RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT raised FROM cdc.flag WHERE name = 'volume copy'), false)
$$;

CREATE FUNCTION cdc.notify_outbox() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    NEW.bytes := octet_length(NEW.payload::text);
    PERFORM pg_notify('cdc_outbox', NEW.topic);
    RETURN NEW;
END
$$;

CREATE TRIGGER outbox_notify BEFORE INSERT ON cdc.outbox
    FOR EACH ROW EXECUTE FUNCTION cdc.notify_outbox();

-- next chunk of a snapshot; callers pass the portal's name
CREATE FUNCTION cdc.open_chunks(portal refcursor, wanted text) RETURNS refcursor
LANGUAGE plpgsql AS $$
BEGIN
    OPEN portal FOR SELECT chunk_id, first_key, last_key FROM cdc.snapshot_chunk
        WHERE relation = wanted AND NOT done ORDER BY chunk_id;
    RETURN portal;
END
$$;

CREATE FUNCTION cdc.retention(source integer) RETURNS interval
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF source = 1 THEN
        RETURN interval '1.5 years';
    END IF;
    RETURN interval '45 days';
END
$$;
