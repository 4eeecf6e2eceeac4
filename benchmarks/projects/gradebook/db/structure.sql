SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: pg_stat_statements; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS pg_stat_statements WITH SCHEMA public;


--
-- Name: json_value(jsonb, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.json_value(document jsonb, path text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT document #>> string_to_array(path, '.')
$$;


--
-- Name: touch_student(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.touch_student() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE public.students SET updated_at = now() WHERE id = NEW.student_id;
  RETURN NEW;
END
$$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: students; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.students (
    id bigint NOT NULL,
    roll_no character varying NOT NULL,
    name character varying NOT NULL,
    section character varying NOT NULL,
    born_on date,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp(6) without time zone NOT NULL,
    updated_at timestamp(6) without time zone NOT NULL
);

CREATE SEQUENCE public.students_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.students_id_seq OWNED BY public.students.id;

--
-- Name: scores; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scores (
    id bigint NOT NULL,
    student_id bigint NOT NULL,
    subject character varying NOT NULL,
    points numeric(5,2) NOT NULL,
    out_of numeric(5,2) NOT NULL,
    percent numeric(5,2) GENERATED ALWAYS AS (((points * 100::numeric) / out_of)) STORED,
    remark text DEFAULT ''::text NOT NULL,
    submitted_at timestamp with time zone,
    graded_at timestamp with time zone
);

CREATE SEQUENCE public.scores_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.scores_id_seq OWNED BY public.scores.id;

--
-- Name: attendance_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.attendance_events (
    student_id bigint NOT NULL,
    happened_at timestamp with time zone NOT NULL,
    kind character varying NOT NULL
);

--
-- Name: attendance_events_2019; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.attendance_events_2019 (
)
INHERITS (public.attendance_events);

--
-- Name: page_views; Type: TABLE; Schema: public; Owner: -
--

CREATE UNLOGGED TABLE public.page_views (
    viewed_on date NOT NULL,
    path character varying NOT NULL,
    session_key character varying NOT NULL
)
PARTITION BY RANGE (viewed_on);

--
-- Name: import_rows; Type: TABLE; Schema: public; Owner: -
--

CREATE UNLOGGED TABLE public.import_rows (
    line integer NOT NULL,
    roll_no character varying,
    subject character varying,
    points character varying,
    taken_at timestamp with time zone
);

--
-- Name: grading_rules; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.grading_rules (
    id integer NOT NULL,
    subject character varying NOT NULL,
    rule character varying NOT NULL,
    weight numeric DEFAULT 1 NOT NULL
);

--
-- Name: statement_samples; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.statement_samples (
    taken_at timestamp with time zone DEFAULT now() NOT NULL,
    queryid bigint NOT NULL,
    calls bigint NOT NULL,
    blk_read_time double precision NOT NULL
);

CREATE TABLE public.schema_migrations (
    version character varying NOT NULL
);

ALTER TABLE ONLY public.students ALTER COLUMN id SET DEFAULT nextval('public.students_id_seq'::regclass);
ALTER TABLE ONLY public.scores ALTER COLUMN id SET DEFAULT nextval('public.scores_id_seq'::regclass);

ALTER TABLE ONLY public.students
    ADD CONSTRAINT students_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.scores
    ADD CONSTRAINT scores_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.grading_rules
    ADD CONSTRAINT grading_rules_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

CREATE UNIQUE INDEX index_students_on_roll_no ON public.students USING btree (roll_no);

CREATE INDEX index_scores_on_student_id ON public.scores USING btree (student_id);

CREATE TRIGGER touch_student AFTER INSERT OR UPDATE ON public.scores FOR EACH ROW EXECUTE FUNCTION public.touch_student();

ALTER TABLE ONLY public.scores
    ADD CONSTRAINT fk_rails_scores_student FOREIGN KEY (student_id) REFERENCES public.students(id);

SET search_path TO "$user", public;

INSERT INTO "schema_migrations" (version) VALUES
('20190603080000'),
('20210712101500'),
('20220404064500');
