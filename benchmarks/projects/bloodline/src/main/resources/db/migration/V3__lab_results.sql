CREATE TABLE lab_result (
    lab_result_id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    donation_id    bigint NOT NULL REFERENCES donation,
    analyser       text NOT NULL,
    payload        jsonb NOT NULL,
    received_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX lab_result_donation_idx ON lab_result (donation_id);

-- The analysers write numbers as text or as numbers, some below "values". Named like the function of the old Oracle.
CREATE FUNCTION public.json_value(doc jsonb, field text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(doc ->> field, doc -> 'values' ->> field)
$$;

CREATE VIEW reactive_result AS
    SELECT r.lab_result_id,
           r.donation_id,
           public.json_value(r.payload, 'hiv') AS hiv,
           public.json_value(r.payload, 'hbsag') AS hbsag
      FROM lab_result r
     WHERE public.json_value(r.payload, 'reactive') = 'yes';

CREATE TABLE lab_event (
    lab_event_id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    lab_result_id  bigint NOT NULL REFERENCES lab_result,
    channel        text NOT NULL,
    sent_at        timestamptz
);
