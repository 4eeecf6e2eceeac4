CREATE TABLE sensors (
    id serial PRIMARY KEY,
    label varchar(40) NOT NULL,
    position point,
    area box,
    installed abstime,
    meta hstore
) WITH (OIDS = false);
CREATE TABLE readings (
    sensor_id integer REFERENCES sensors,
    at timestamptz NOT NULL,
    value double precision
);
CREATE INDEX readings_at ON readings (sensor_id, at);
CREATE OR REPLACE FUNCTION reading_guard() RETURNS trigger AS '
BEGIN
    IF TG_OP = ''DELETE'' THEN
        RETURN OLD;
    END IF;
    IF NEW.value IS NULL AND OLD.value IS NOT NULL THEN
        NEW.value := OLD.value;
    END IF;
    RETURN NEW;
END;
' LANGUAGE plpgsql;
CREATE TRIGGER reading_guard BEFORE INSERT OR UPDATE ON readings FOR EACH ROW EXECUTE PROCEDURE reading_guard();
CREATE FUNCTION half(integer) RETURNS integer AS 'SELECT $1 / 2' LANGUAGE sql WITH (isStrict);
CREATE FUNCTION twice(integer) RETURNS integer AS 'SELECT $1 * 2' LANGUAGE sql STRICT;
