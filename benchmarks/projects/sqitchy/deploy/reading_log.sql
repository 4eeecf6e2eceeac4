-- Deploy circulation:reading_log to pg
-- requires: loans

BEGIN;

CREATE TABLE circ.reading_log (
    member_id integer NOT NULL,
    seat      smallint,
    entered   timestamptz NOT NULL DEFAULT now()
) WITH OIDS;

CREATE INDEX reading_log_entered ON circ.reading_log (entered);

COMMIT;
