-- what the payment provider and the partners send

CREATE TABLE webhook_events (
    id bigserial PRIMARY KEY,
    source text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    payload jsonb NOT NULL,
    order_id integer,
    tip numeric(6,2),
    distance_km numeric(6,2),
    note text,
    failed boolean NOT NULL DEFAULT false
);

CREATE TABLE payments (
    id serial PRIMARY KEY,
    order_id integer NOT NULL REFERENCES orders,
    amount numeric(9,2) NOT NULL,
    tip numeric(6,2) NOT NULL DEFAULT 0,
    method text NOT NULL,
    paid_at timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION webhook_fields() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.order_id := (NEW.payload->>'order')::integer;
    NEW.note := (NEW.payload->'note')::text;
    IF jsonb_typeof(NEW.payload->'distance') = 'number' THEN
        NEW.distance_km := (NEW.payload->>'distance')::numeric;
    END IF;
    BEGIN
        NEW.tip := (NEW.payload->'tip')::numeric;
    EXCEPTION WHEN invalid_parameter_value THEN
        -- no tip, or one that is no number
        NEW.tip := 0;
    END;
    RETURN NEW;
END;
$$;
CREATE TRIGGER webhook_fields BEFORE INSERT ON webhook_events FOR EACH ROW EXECUTE FUNCTION webhook_fields();

-- the partner's API speaks of values by key
CREATE FUNCTION public.json_value(document jsonb, key text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT document ->> key
$$;

CREATE FUNCTION json_value_or(document jsonb, key text, otherwise text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(public.json_value(document, key), otherwise)
$$;
COMMENT ON FUNCTION json_value_or(jsonb, text, text) IS 'json_value(document, key), or something else';
