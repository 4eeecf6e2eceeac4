CREATE EXTENSION pg_walinspect;
CREATE EXTENSION adminpack;
CREATE EXTENSION pg_trgm;
CREATE TABLE doc (
    id bigint NOT NULL,
    body json,
    title text,
    price numeric,
    vat numeric GENERATED ALWAYS AS (price * 0.2) STORED,
    shown timestamptz
);
CREATE TABLE doc_key (id bigint NOT NULL, domain_default text, wal_write bigint);
CREATE UNIQUE INDEX doc_key_id ON doc_key (id) NULLS NOT DISTINCT;
CREATE TABLE doc_tag (id bigint NOT NULL, tag text);
CREATE UNIQUE INDEX doc_tag_id ON doc_tag (id);
