CREATE EXTENSION IF NOT EXISTS pg_stat_statements;

CREATE TABLE donor (
    donor_id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    donor_no       varchar(12) NOT NULL UNIQUE,
    full_name      text NOT NULL,
    born_on        date NOT NULL,
    sex            char(1) NOT NULL CONSTRAINT donor_sex_check CHECK (sex IN ('f', 'm', 'x')),
    blood_group    varchar(3),
    email          text,
    phone          text,
    registered_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE site (
    site_id        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name           text NOT NULL,
    mobile         boolean NOT NULL DEFAULT false
);

CREATE TABLE donation (
    donation_id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    donor_id       bigint NOT NULL REFERENCES donor,
    site_id        integer NOT NULL REFERENCES site,
    kind           text NOT NULL DEFAULT 'whole',
    volume_ml      integer NOT NULL,
    duration       interval,
    donated_at     timestamptz NOT NULL
);
CREATE INDEX donation_donor_idx ON donation (donor_id, donated_at DESC);

CREATE SCHEMA util;

-- a number from lo to hi, for anonymous sample numbers
CREATE FUNCTION util.random(lo integer, hi integer) RETURNS integer
    LANGUAGE sql VOLATILE AS $$
    SELECT lo + floor(pg_catalog.random() * (hi - lo + 1))::integer
$$;
