CREATE EXTENSION unaccent;
CREATE TABLE event (id integer PRIMARY KEY, until timestamptz, since timestamptz, lasts text, lsn pg_lsn, doc jsonb, note text, spent interval);
