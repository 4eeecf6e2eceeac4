-- Closed claims of the old application. Its viewer addresses rows by OID.
CREATE TABLE legacy_claim (
    number     text NOT NULL,
    branch     text,
    closed_on  date,
    paid       numeric(12,2)
) WITH OIDS;

-- Notes need no row identity
CREATE TABLE legacy_note (
    number  text NOT NULL,
    note    text
) WITH (oids = false);
