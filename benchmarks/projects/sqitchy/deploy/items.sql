-- Deploy circulation:items to pg
-- requires: appschema

BEGIN;

SET LOCAL search_path = circ, public;

CREATE TABLE items (
    id      serial PRIMARY KEY,
    barcode text NOT NULL UNIQUE,
    shelf   text,
    price   numeric(8,2),
    tags    text[] DEFAULT '{}',
    marc    xml,
    CONSTRAINT items_barcode_check CHECK (barcode ~ '^[0-9]{8}$')
);

CREATE FUNCTION item_title(item items) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT (xpath('title/text()', item.marc))[1]::text
$$;

CREATE FUNCTION item_author(item items) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT (xpath('/record/author/text()', item.marc))[1]::text
$$;

COMMIT;
