-- Members of the cooperative, and the parcels that they farm.

CREATE EXTENSION IF NOT EXISTS pg_stat_statements;

CREATE TABLE member (
    id          serial PRIMARY KEY,
    number      integer NOT NULL UNIQUE,
    name        varchar(120) NOT NULL,
    village     varchar(80),
    joined_on   date NOT NULL DEFAULT current_date,
    left_on     date
);

CREATE TABLE variety (
    id          serial PRIMARY KEY,
    code        varchar(12) NOT NULL UNIQUE,
    name        varchar(80) NOT NULL,
    species     varchar(20) NOT NULL CHECK (species IN ('apple', 'pear', 'plum', 'cherry', 'quince')),
    description text
);

CREATE TABLE parcel (
    id          serial PRIMARY KEY,
    member_id   integer NOT NULL REFERENCES member (id),
    variety_id  integer NOT NULL REFERENCES variety (id),
    label       varchar(40) NOT NULL,
    outline     polygon,
    trees       integer NOT NULL DEFAULT 0,
    plant_year  integer,
    changed_at  timestamptz NOT NULL DEFAULT now()
);

-- who did what, with the name of the account in the old AS/400 system
CREATE TABLE audit_log (
    id            bigserial PRIMARY KEY,
    at            timestamptz NOT NULL DEFAULT now(),
    "system_user" varchar(60),
    entity        varchar(40) NOT NULL,
    entity_id     integer,
    detail        text
);

CREATE FUNCTION touch_parcel() RETURNS opaque AS '
BEGIN
    NEW.changed_at := now();
    RETURN NEW;
END;
' LANGUAGE plpgsql;

CREATE TRIGGER parcel_touch BEFORE UPDATE ON parcel
    FOR EACH ROW EXECUTE PROCEDURE touch_parcel();
