-- Grading trials, and the yearly settlement.

CREATE TABLE trial (
    id         serial PRIMARY KEY,
    title      varchar(120) NOT NULL,
    plots      integer NOT NULL,
    started_on date NOT NULL
);

CREATE TABLE settlement (
    id        serial PRIMARY KEY,
    member_id integer NOT NULL REFERENCES member (id),
    season    integer NOT NULL,
    net_kg    numeric(12, 1) NOT NULL DEFAULT 0,
    amount    numeric(12, 2) NOT NULL DEFAULT 0,
    paid_at   timestamptz,
    UNIQUE (member_id, season)
);

-- lines of a season; the batch reads them in portions
CREATE FUNCTION open_season_lines(p_season integer) RETURNS refcursor
LANGUAGE plpgsql AS $$
DECLARE
    season_lines CURSOR (s integer) FOR
        SELECT m.number, m.name, t.net_kg, t.amount
          FROM settlement t
          JOIN member m ON m.id = t.member_id
         WHERE t.season = s
         ORDER BY m.number;
BEGIN
    OPEN season_lines (p_season);
    RETURN season_lines;
END;
$$;

CREATE FUNCTION open_unpaid(p_season integer) RETURNS refcursor
LANGUAGE plpgsql AS $$
DECLARE
    cur refcursor := 'unpaid_lines';
BEGIN
    OPEN cur FOR SELECT t.id, t.amount FROM settlement t WHERE t.season = p_season AND t.paid_at IS NULL;
    RETURN cur;
END;
$$;

DO $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'orchard_ramp') THEN
        CREATE ROLE orchard_ramp NOLOGIN;
    END IF;
END
$$;

-- the scanners at the ramp have an old driver
ALTER ROLE orchard_ramp SET password_encryption = 'md5';
GRANT SELECT, INSERT ON delivery TO orchard_ramp;
