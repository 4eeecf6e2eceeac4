-- Catalog of backups.
CREATE SCHEMA bk;

CREATE TABLE bk.backup (
    id       serial PRIMARY KEY,
    kind     text NOT NULL CHECK (kind IN ('base', 'dump', 'snapshot')),
    label    text NOT NULL,
    path     text NOT NULL UNIQUE,
    started  timestamptz NOT NULL DEFAULT now(),
    ended    timestamptz,
    verified timestamptz,
    abstime  bigint,                -- of the label file, as the host's clock has it
    bytes    bigint,
    tables   integer
) WITHOUT OIDS;

CREATE TABLE bk.hold (
    backup   integer NOT NULL REFERENCES bk.backup,
    reason   text NOT NULL,
    until    date
) WITH (fillfactor = 90);

-- segments that the archive has received; loaded by the nightly inventory
CREATE TABLE bk.segment (
    name     text NOT NULL,
    received timestamptz NOT NULL,
    bytes    integer NOT NULL
) WITH OIDS;
