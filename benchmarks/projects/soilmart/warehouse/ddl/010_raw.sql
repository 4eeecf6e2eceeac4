-- What arrives, as it arrives.
CREATE SCHEMA raw;

CREATE TABLE raw.lab_files (
    id serial PRIMARY KEY,
    name text NOT NULL UNIQUE,
    lab_code text NOT NULL,
    lines integer NOT NULL DEFAULT 0,
    checksum bigint,
    received_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE raw.lab_results (
    id bigserial PRIMARY KEY,
    file_id integer NOT NULL REFERENCES raw.lab_files (id) ON DELETE CASCADE,
    sample_no text NOT NULL,
    parameter text NOT NULL,
    raw_value text,
    unit text
);
CREATE INDEX lab_results_sample ON raw.lab_results (sample_no, parameter);

CREATE TABLE raw.lab_limits (
    parameter text NOT NULL,
    horizon text,
    limit_text text NOT NULL,
    note text
);

CREATE TABLE raw.logger_messages (
    id bigserial PRIMARY KEY,
    station_code text NOT NULL,
    body text NOT NULL,
    payload jsonb NOT NULL,
    received_at timestamptz NOT NULL
);
CREATE INDEX logger_messages_station ON raw.logger_messages (station_code, received_at);

-- Checksum of a message as the loggers compute it (sum of the characters, weighted by place)
CREATE FUNCTION public.crc32(message text) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT coalesce(sum(ascii(substr(message, n, 1)) * n), 0)::bigint % 65521
      FROM generate_series(1, length(message)) n
$$;
