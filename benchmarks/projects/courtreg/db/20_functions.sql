SET search_path = registry, public;

--
-- Names
--
CREATE FUNCTION registry.fold_name(name text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
    RETURN lower(regexp_replace(btrim(name), '\s+', ' ', 'g'));
END
$$;

CREATE FUNCTION registry.search_name(name text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
    RETURN regexp_replace(fold_name(name), '^(the|de|het) ', '');
END
$$;

CREATE FUNCTION registry.sort_name(name text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT
    SET search_path = registry, pg_temp AS $$
BEGIN
    RETURN regexp_replace(fold_name(name), '^(.*) (\S+)$', '\2, \1');
END
$$;

--
-- Documents: from the time before SQL/JSON
--
CREATE FUNCTION registry.json_value(doc jsonb, key text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT doc ->> key
$$;

CREATE FUNCTION util.random(low integer, high integer) RETURNS integer
    LANGUAGE sql VOLATILE AS $$
    SELECT low + floor(random() * (high - low + 1))::integer
$$;

-- The chamber is drawn by lot (rule 7).
CREATE FUNCTION registry.draw_chamber(p_court text) RETURNS integer
    LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_chambers integer := CASE p_court WHEN 'SC' THEN 3 ELSE 12 END;
BEGIN
    RETURN util.random(1, v_chambers);
END
$$;

CREATE FUNCTION registry.is_stale(p_case_id bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_last timestamptz;
BEGIN
    SELECT max(entered_at) INTO v_last
      FROM registry.docket_entry
     WHERE case_id = p_case_id;
    RETURN v_last IS NULL OR v_last < now() + interval '1 year 6 months ago';
END
$$;

CREATE FUNCTION registry.case_as_json(p_case_id bigint) RETURNS json
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_case registry.court_case;
    v_hearings json;
    v_key json;
BEGIN
    SELECT * INTO STRICT v_case FROM registry.court_case WHERE case_id = p_case_id;
    v_key := JSON_ARRAY(v_case.court_code, v_case.case_no);
    v_hearings := JSON_ARRAY(SELECT starts_at FROM registry.hearing WHERE case_id = p_case_id AND NOT cancelled);
    IF v_hearings IS NULL THEN
        RETURN json_build_object('key', v_key, 'state', 'not scheduled');
    END IF;
    RETURN json_build_object('key', v_key, 'status', v_case.status, 'hearings', v_hearings);
EXCEPTION
    WHEN no_data_found THEN
        RETURN NULL;
END
$$;

CREATE FUNCTION registry.exhibit_digest(p_title text, p_label text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT md5(p_title || '/' || coalesce(p_label, ''))
$$;

CREATE FUNCTION registry.close_case(p_case_id bigint, p_reason text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE registry.court_case SET status = 'closed' WHERE case_id = p_case_id AND status <> 'closed';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'case % is closed or unknown', p_case_id USING ERRCODE = 'no_data_found';
    END IF;
    INSERT INTO registry.docket_entry (case_id, entered_at, entry_no, body)
    SELECT p_case_id, now(), coalesce(max(entry_no), 0) + 1, 'closed: ' || p_reason
      FROM registry.docket_entry
     WHERE case_id = p_case_id;
END
$$;
