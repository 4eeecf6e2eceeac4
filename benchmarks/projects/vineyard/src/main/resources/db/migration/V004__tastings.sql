CREATE TABLE tasters (
    id            serial PRIMARY KEY,
    name          text NOT NULL,
    "system_user" text UNIQUE
);

CREATE TABLE tastings (
    id          serial PRIMARY KEY,
    held_on     date NOT NULL DEFAULT current_date,
    host        integer REFERENCES tasters,
    flight      integer NOT NULL DEFAULT 6,
    consrc      text
);
COMMENT ON COLUMN tastings.consrc IS 'source of the consumer panel: club, trade, press';

CREATE TABLE scores (
    tasting_id  integer NOT NULL REFERENCES tastings ON DELETE CASCADE,
    lot_no      integer NOT NULL,
    vintage     smallint NOT NULL,
    taster_id   integer NOT NULL REFERENCES tasters,
    points      numeric(4,1) NOT NULL CHECK (points BETWEEN 50 AND 100),
    remark      text,
    PRIMARY KEY (tasting_id, lot_no, vintage, taster_id)
);

-- who changed a score after the sheet was signed
CREATE TABLE score_audit (
    changed_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    system_user  text NOT NULL DEFAULT session_user,
    tasting_id   integer NOT NULL,
    before       numeric(4,1),
    after        numeric(4,1)
);
