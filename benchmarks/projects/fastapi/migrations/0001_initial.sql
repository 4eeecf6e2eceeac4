CREATE TABLE schema_migrations (
    version integer PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE depots (
    id serial PRIMARY KEY,
    code text NOT NULL UNIQUE,
    name text NOT NULL
);

CREATE TABLE parcels (
    id bigserial PRIMARY KEY,
    tracking_code text NOT NULL UNIQUE,
    depot_id integer NOT NULL REFERENCES depots,
    state text NOT NULL DEFAULT 'announced',
    weight_kg numeric(8, 3),
    created_at timestamptz NOT NULL DEFAULT now(),
    delivered_at timestamptz,
    payload jsonb NOT NULL DEFAULT '{}'
);

CREATE INDEX parcels_code_lower ON parcels (lower(tracking_code));

CREATE TABLE scans (
    id bigserial PRIMARY KEY,
    parcel_id bigint NOT NULL REFERENCES parcels ON DELETE CASCADE,
    scanned_at timestamptz NOT NULL DEFAULT now(),
    place text NOT NULL,
    is_final boolean NOT NULL DEFAULT false
);

CREATE INDEX scans_parcel ON scans (parcel_id, scanned_at);
