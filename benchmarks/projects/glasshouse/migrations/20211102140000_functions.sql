-- Keys for the label printer, JSON helpers, triggers.

CREATE FUNCTION short_code(raw text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$ SELECT upper(left(translate(raw, ' -_./', ''), 8)) $$;

-- printed on the bench: house and label, without blanks
CREATE FUNCTION bench_key(house text, label text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN short_code(house) || '-' || right(label, 4);
END
$$;
CREATE INDEX benches_key ON benches (bench_key(house_code, label));

CREATE FUNCTION zone_key(code text, title text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN public.short_code(code) || '/' || left(title, 12);
END
$$;
CREATE INDEX zones_key ON zones (zone_key(code, title));

CREATE FUNCTION cultivar_key(species text, name text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE SET search_path = public AS $$
BEGIN
    RETURN short_code(species) || '.' || short_code(name);
END
$$;
CREATE INDEX cultivars_key ON cultivars (cultivar_key(species, name));

CREATE FUNCTION login_key(login text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN lower(btrim(login));
END
$$;
CREATE UNIQUE INDEX operators_by_login ON operators (login_key(login));

CREATE FUNCTION public.json_value(doc jsonb, path text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT doc #>> string_to_array(path, '.') $$;

CREATE FUNCTION public.array_sort(list anyarray) RETURNS anyarray
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT array(SELECT DISTINCT e FROM unnest(list) AS e ORDER BY e) $$;

-- lamps and heaters are switched by the service only, never by hand
CREATE FUNCTION actuator_log_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW."system_user" = '' THEN
        NEW."system_user" := current_user;
    END IF;
    NEW.step := greatest(0, least(NEW.step, (SELECT max_steps FROM actuators WHERE id = NEW.actuator_id)));
    RETURN NEW;
END
$$;
CREATE TRIGGER actuator_log_guard BEFORE INSERT ON actuator_log
    FOR EACH ROW EXECUTE FUNCTION actuator_log_guard();

CREATE FUNCTION alert_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('alerts', json_build_object('zone', NEW.zone_id, 'severity', NEW.severity)::text);
    RETURN NULL;
END
$$;
CREATE TRIGGER alert_notify AFTER INSERT ON alerts
    FOR EACH ROW EXECUTE FUNCTION alert_notify();
