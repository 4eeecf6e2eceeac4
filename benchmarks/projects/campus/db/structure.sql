SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;

CREATE EXTENSION IF NOT EXISTS hstore;
CREATE EXTENSION IF NOT EXISTS pg_stat_statements;

CREATE SCHEMA sis;

CREATE TABLE people_person (
    id          serial PRIMARY KEY,
    username    varchar(60) NOT NULL UNIQUE,
    full_name   varchar(200) NOT NULL,
    phone       text NOT NULL DEFAULT '',
    fax         text NOT NULL DEFAULT '',
    is_staff    boolean NOT NULL DEFAULT false,
    joined_at   timestamp with time zone NOT NULL DEFAULT now()
);

CREATE TABLE courses_course (
    id          serial PRIMARY KEY,
    code        varchar(20) NOT NULL UNIQUE,
    title       varchar(200) NOT NULL,
    syllabus    text NOT NULL DEFAULT '',
    attributes  hstore NOT NULL DEFAULT '',
    credits     numeric(4, 1) NOT NULL,
    seats       integer NOT NULL,
    etag        text,
    CONSTRAINT courses_course_seats_check CHECK (seats >= 0)
);

CREATE TABLE courses_room (
    id        serial PRIMARY KEY,
    label     varchar(40) NOT NULL,
    capacity  integer NOT NULL
);

CREATE TABLE courses_enrolment (
    id          serial PRIMARY KEY,
    course_id   integer NOT NULL REFERENCES courses_course (id) DEFERRABLE INITIALLY DEFERRED,
    person_id   integer NOT NULL REFERENCES people_person (id) DEFERRABLE INITIALLY DEFERRED,
    created_at  timestamp with time zone NOT NULL DEFAULT now(),
    changed_at  timestamp with time zone NOT NULL DEFAULT now(),
    UNIQUE (course_id, person_id)
);

CREATE TABLE courses_result (
    id            serial PRIMARY KEY,
    enrolment_id  integer NOT NULL REFERENCES courses_enrolment (id) DEFERRABLE INITIALLY DEFERRED,
    score         double precision NOT NULL,
    etag          text
);

CREATE TABLE courses_sitting (
    id          serial PRIMARY KEY,
    course_id   integer NOT NULL REFERENCES courses_course (id) DEFERRABLE INITIALLY DEFERRED,
    room_id     integer REFERENCES courses_room (id) DEFERRABLE INITIALLY DEFERRED,
    starts_at   timestamp with time zone NOT NULL,
    total_time  integer NOT NULL DEFAULT 120
);

-- rules of the registrar, as they come from the SIS
CREATE TABLE sis.rule (
    conname  text PRIMARY KEY,
    consrc   text NOT NULL
);

CREATE FUNCTION sis.json_array(items text[]) RETURNS json
    LANGUAGE sql IMMUTABLE AS $$ SELECT array_to_json(items) $$;

CREATE FUNCTION grade_points(grade text) RETURNS numeric
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE grade WHEN 'A' THEN 4.0 WHEN 'B' THEN 3.0 WHEN 'C' THEN 2.0 ELSE 0.0 END
$$;

CREATE FUNCTION grade_points(percent numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE AS $$ SELECT round(percent / 25, 1) $$;

CREATE FUNCTION honours(average numeric) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$ SELECT CASE WHEN average >= 70 THEN 'first' ELSE 'second' END $$;

CREATE FUNCTION courses_result_etag() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    NEW.etag := md5(NEW.enrolment_id || ':' || NEW.score);
    RETURN NEW;
END
$$;

CREATE TRIGGER courses_result_etag
    BEFORE INSERT OR UPDATE ON courses_result
    FOR EACH ROW EXECUTE PROCEDURE courses_result_etag();

CREATE FUNCTION courses_course_etag() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    NEW.etag := md5(NEW.code || ':' || NEW.credits);
    RETURN NEW;
END
$$;

CREATE TRIGGER courses_course_etag
    BEFORE INSERT OR UPDATE ON courses_course
    FOR EACH ROW EXECUTE PROCEDURE courses_course_etag();

CREATE VIEW courses_fill AS
    SELECT c.id, c.code, c.seats, count(e.id) AS taken
      FROM courses_course c
      LEFT JOIN courses_enrolment e ON e.course_id = c.id
     GROUP BY c.id, c.code, c.seats;
