CREATE SCHEMA IF NOT EXISTS app;
CREATE TABLE app.profiles (
    id uuid PRIMARY KEY,
    username text UNIQUE,
    balance money DEFAULT 0,
    full_name text GENERATED ALWAYS AS (initcap(username)) STORED,
    created_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE app.profiles ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON app.profiles USING (id = current_setting('request.jwt-claim.sub', true)::uuid);
CREATE POLICY own_too ON app.profiles FOR UPDATE USING (id = current_setting('request.jwt', true)::uuid);
CREATE TABLE app.events (
    id bigint GENERATED ALWAYS AS IDENTITY,
    profile_id uuid REFERENCES app.profiles,
    body jsonb NOT NULL,
    seen boolean
);
CREATE UNLOGGED TABLE app.events_by_day (day date, n bigint) PARTITION BY RANGE (day);
CREATE UNLOGGED TABLE app.cache (k text PRIMARY KEY, v jsonb);
