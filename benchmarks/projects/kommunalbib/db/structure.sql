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
-- Name: pg_trgm; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;


--
-- Name: open_overdue_cursor(bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.open_overdue_cursor(p_branch_id bigint) RETURNS refcursor
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    overdue_cur CURSOR FOR
        SELECT l.id, l.patron_id, l.copy_id, l.due_on
          FROM public.loans l
          JOIN public.copies c ON c.id = l.copy_id
         WHERE c.branch_id = p_branch_id
           AND l.returned_at IS NULL
           AND l.due_on < CURRENT_DATE
         ORDER BY l.due_on, l.id;
BEGIN
    OPEN overdue_cur;
    RETURN overdue_cur;
END;
$$;


--
-- Name: recalculate_fines(bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.recalculate_fines(p_patron_id bigint) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
    fine_cur CURSOR FOR
        SELECT l.id, (CURRENT_DATE - l.due_on) AS days_late
          FROM public.loans l
         WHERE l.patron_id = p_patron_id AND l.returned_at IS NULL AND l.due_on < CURRENT_DATE;
    rec record;
    n integer := 0;
BEGIN
    OPEN fine_cur;
    LOOP
        FETCH fine_cur INTO rec;
        EXIT WHEN NOT FOUND;
        UPDATE public.fines SET amount_cents = rec.days_late * 20, updated_at = now()
         WHERE loan_id = rec.id AND paid_at IS NULL;
        n := n + 1;
    END LOOP;
    CLOSE fine_cur;
    RETURN n;
END;
$$;


--
-- Name: touch_updated_at(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.touch_updated_at() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW.updated_at := now();
    RETURN NEW;
END;
$$;


--
-- Name: array_accum(anyarray); Type: AGGREGATE; Schema: public; Owner: -
--

CREATE AGGREGATE public.array_accum(anyarray) (
    SFUNC = array_cat,
    STYPE = anyarray,
    INITCOND = '{}'
);


--
-- Name: merge_tags(text[]); Type: AGGREGATE; Schema: public; Owner: -
--

CREATE AGGREGATE public.merge_tags(text[]) (
    SFUNC = array_cat,
    STYPE = text[],
    INITCOND = '{}'
);


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: ar_internal_metadata; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ar_internal_metadata (
    key character varying NOT NULL,
    value character varying,
    created_at timestamp(6) without time zone NOT NULL,
    updated_at timestamp(6) without time zone NOT NULL
);


--
-- Name: audit_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_events (
    id bigint NOT NULL,
    user_id bigint,
    action character varying NOT NULL,
    subject_type character varying,
    subject_id bigint,
    payload jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp(6) without time zone NOT NULL
);


CREATE SEQUENCE public.audit_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.audit_events_id_seq OWNED BY public.audit_events.id;


--
-- Name: branches; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.branches (
    id bigint NOT NULL,
    name character varying NOT NULL,
    code character varying(8) NOT NULL,
    contact_email character varying,
    location point,
    delivery_area circle,
    opened_on date,
    created_at timestamp(6) without time zone NOT NULL,
    updated_at timestamp(6) without time zone NOT NULL
);


--
-- Name: copies; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.copies (
    id bigint NOT NULL,
    title_id bigint NOT NULL,
    branch_id bigint NOT NULL,
    barcode character varying NOT NULL,
    call_number character varying,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp(6) without time zone NOT NULL,
    updated_at timestamp(6) without time zone NOT NULL
);


--
-- Name: fines; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.fines (
    id bigint NOT NULL,
    loan_id bigint NOT NULL,
    amount_cents integer DEFAULT 0 NOT NULL,
    paid_at timestamp(6) without time zone,
    created_at timestamp(6) without time zone NOT NULL,
    updated_at timestamp(6) without time zone NOT NULL
);


--
-- Name: loans; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.loans (
    id bigint NOT NULL,
    patron_id bigint NOT NULL,
    copy_id bigint NOT NULL,
    checked_out_at timestamp(6) without time zone NOT NULL,
    due_on date NOT NULL,
    returned_at timestamp(6) without time zone,
    renewals integer DEFAULT 0 NOT NULL,
    created_at timestamp(6) without time zone NOT NULL,
    updated_at timestamp(6) without time zone NOT NULL
);


--
-- Name: patrons; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.patrons (
    id bigint NOT NULL,
    card_number character varying NOT NULL,
    family_name character varying NOT NULL,
    given_name character varying,
    category character varying DEFAULT 'adult'::character varying NOT NULL,
    born_on date,
    joined_on date NOT NULL,
    expires_on date,
    preferences jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp(6) without time zone NOT NULL,
    updated_at timestamp(6) without time zone NOT NULL
);


--
-- Name: reading_sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reading_sessions (
    id bigint NOT NULL,
    patron_id bigint NOT NULL,
    title_id bigint NOT NULL,
    total_time integer DEFAULT 0 NOT NULL,
    mean_time integer,
    started_at timestamp(6) without time zone NOT NULL
);


COMMENT ON COLUMN public.reading_sessions.total_time IS 'Seconds in the e-book reader';


--
-- Name: sort_profiles; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sort_profiles (
    id bigint NOT NULL,
    name character varying NOT NULL,
    lc_collate character varying NOT NULL
);


--
-- Name: titles; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.titles (
    id bigint NOT NULL,
    name character varying NOT NULL,
    isbn character varying(13),
    language character varying(3),
    published_on date,
    created_at timestamp(6) without time zone NOT NULL,
    updated_at timestamp(6) without time zone NOT NULL
);


--
-- Name: users; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.users (
    id bigint NOT NULL,
    login character varying NOT NULL,
    role character varying DEFAULT 'clerk'::character varying NOT NULL,
    created_at timestamp(6) without time zone NOT NULL,
    updated_at timestamp(6) without time zone NOT NULL
);


--
-- Name: branch_stocks; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.branch_stocks AS
 SELECT b.id AS branch_id,
    b.name,
    count(c.id) AS copies,
    count(DISTINCT c.title_id) AS titles
   FROM (public.branches b
     LEFT JOIN public.copies c ON ((c.branch_id = b.id)))
  GROUP BY b.id, b.name;


ALTER TABLE ONLY public.audit_events ALTER COLUMN id SET DEFAULT nextval('public.audit_events_id_seq'::regclass);


ALTER TABLE ONLY public.ar_internal_metadata
    ADD CONSTRAINT ar_internal_metadata_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.audit_events
    ADD CONSTRAINT audit_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.branches
    ADD CONSTRAINT branches_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.copies
    ADD CONSTRAINT copies_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.fines
    ADD CONSTRAINT fines_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.loans
    ADD CONSTRAINT loans_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.patrons
    ADD CONSTRAINT patrons_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.reading_sessions
    ADD CONSTRAINT reading_sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sort_profiles
    ADD CONSTRAINT sort_profiles_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.titles
    ADD CONSTRAINT titles_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);


CREATE INDEX index_audit_events_on_subject ON public.audit_events USING btree (subject_type, subject_id);

CREATE UNIQUE INDEX index_copies_on_barcode ON public.copies USING btree (barcode);

CREATE INDEX index_loans_on_due_on ON public.loans USING btree (due_on) WHERE (returned_at IS NULL);

CREATE INDEX index_loans_on_patron_id ON public.loans USING btree (patron_id);

CREATE UNIQUE INDEX index_patrons_on_card_number ON public.patrons USING btree (card_number);

CREATE INDEX index_titles_on_name_trgm ON public.titles USING gin (name public.gin_trgm_ops);


CREATE TRIGGER patrons_touch BEFORE UPDATE ON public.patrons FOR EACH ROW EXECUTE FUNCTION public.touch_updated_at();


ALTER TABLE ONLY public.copies
    ADD CONSTRAINT fk_rails_3c1f0a2b77 FOREIGN KEY (title_id) REFERENCES public.titles(id);

ALTER TABLE ONLY public.loans
    ADD CONSTRAINT fk_rails_7d90e1c4aa FOREIGN KEY (patron_id) REFERENCES public.patrons(id);

ALTER TABLE ONLY public.fines
    ADD CONSTRAINT fk_rails_e19b5d2c01 FOREIGN KEY (loan_id) REFERENCES public.loans(id);


SET search_path TO "$user", public;

CREATE TABLE public.schema_migrations (
    version character varying NOT NULL,
    CONSTRAINT schema_migrations_pkey PRIMARY KEY (version)
);

INSERT INTO "schema_migrations" (version) VALUES
('20160412080000'),
('20180903121500'),
('20200217093000'),
('20211108140000');
