--
-- PostgreSQL database dump
--

-- Dumped from database version 9.6.24
-- Dumped by pg_dump version 9.6.24

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET check_function_bodies = false;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: ledger; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA ledger;

SET search_path = ledger, pg_catalog;

--
-- Name: account_code; Type: DOMAIN; Schema: ledger; Owner: -
--

CREATE DOMAIN account_code AS text
	CONSTRAINT account_code_check CHECK ((VALUE ~ '^[0-9]{4,8}$'::text));

--
-- Name: amount; Type: DOMAIN; Schema: ledger; Owner: -
--

CREATE DOMAIN amount AS numeric(16,2)
	CONSTRAINT amount_check CHECK ((VALUE >= (0)::numeric));

--
-- Name: currency_code; Type: DOMAIN; Schema: ledger; Owner: -
--

CREATE DOMAIN currency_code AS text
	CONSTRAINT currency_code_check CHECK ((VALUE ~ '^[A-Z]{3}$'::text));

--
-- Name: side; Type: TYPE; Schema: ledger; Owner: -
--

CREATE TYPE side AS ENUM (
    'debit',
    'credit'
);

SET default_tablespace = '';

SET default_with_oids = false;

--
-- Name: accounts; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE accounts (
    id integer NOT NULL,
    code account_code NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    closed boolean DEFAULT false NOT NULL
);

--
-- Name: entries; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE entries (
    id bigint NOT NULL,
    journal_no bigint NOT NULL,
    booked_on date NOT NULL,
    period date NOT NULL,
    memo text,
    opaque text,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON COLUMN entries.memo IS 'free text';

--
-- Name: postings; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE postings (
    entry_id bigint NOT NULL,
    line smallint NOT NULL,
    account_id integer NOT NULL,
    side side NOT NULL,
    amount amount NOT NULL,
    currency currency_code DEFAULT 'EUR'::text NOT NULL
);

--
-- Name: postings_archive; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE postings_archive (
    entry_id bigint NOT NULL,
    account_id integer NOT NULL,
    side side NOT NULL,
    amount amount NOT NULL
);

CREATE TABLE postings_archive_2015 (
)
INHERITS (postings_archive);

--
-- Name: period_totals; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE period_totals (
    period date NOT NULL,
    account_id integer NOT NULL,
    debit numeric(16,2) DEFAULT 0 NOT NULL,
    credit numeric(16,2) DEFAULT 0 NOT NULL,
    last_booked date
);

--
-- Name: fx_rates; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE fx_rates (
    currency currency_code NOT NULL,
    valid_on date NOT NULL,
    rate double precision NOT NULL
);

--
-- Name: numbering; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE numbering (
    series text NOT NULL,
    prefix text NOT NULL,
    increment_by integer DEFAULT 1 NOT NULL,
    max_gap integer DEFAULT 0 NOT NULL
);

--
-- Name: audit; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE audit (
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    reltime interval,
    what text NOT NULL,
    before json,
    after json
);

--
-- Name: journal_no_seq; Type: SEQUENCE; Schema: ledger; Owner: -
--

CREATE SEQUENCE journal_no_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

--
-- Name: parse_amount(text); Type: FUNCTION; Schema: ledger; Owner: -
--

CREATE FUNCTION parse_amount(raw text) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT
    AS $$
    SELECT to_number(raw, '9,999,999.99')
$$;

--
-- Name: parse_rate(text); Type: FUNCTION; Schema: ledger; Owner: -
--

CREATE FUNCTION parse_rate(raw text) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT
    AS $$
    SELECT to_number(raw, '99999.999999')
$$;

--
-- Name: normalize(text); Type: FUNCTION; Schema: ledger; Owner: -
--

CREATE FUNCTION "normalize"(iban text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$
    SELECT upper(replace(iban, ' ', ''))
$$;

--
-- Name: balance(accounts); Type: FUNCTION; Schema: ledger; Owner: -
--

CREATE FUNCTION balance(account accounts) RETURNS numeric
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce(sum(CASE p.side WHEN 'debit' THEN p.amount ELSE - p.amount END), 0)
      FROM ledger.postings p
     WHERE p.account_id = account.id
$$;

--
-- Name: archived_total(integer); Type: FUNCTION; Schema: ledger; Owner: -
--

CREATE FUNCTION archived_total(account integer) RETURNS numeric
    LANGUAGE sql STABLE
    SET search_path TO ledger, pg_catalog
    SET sql_inheritance TO 'off'
    AS $$
    SELECT coalesce(sum(amount), 0)
      FROM postings_archive
     WHERE account_id = account
$$;

--
-- Name: percent(numeric); Type: FUNCTION; Schema: ledger; Owner: -
--

CREATE FUNCTION percent(numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT
    AS $_$
    SELECT $1 / 100
$_$;

--
-- Name: share_of(numeric, numeric); Type: FUNCTION; Schema: ledger; Owner: -
--

CREATE FUNCTION share_of(part numeric, total numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT
    AS $$
    SELECT round(part / nullif(total, 0) * 100, 2)
$$;

CREATE OPERATOR %% (PROCEDURE = percent, LEFTARG = numeric);

CREATE OPERATOR %/ (PROCEDURE = share_of, LEFTARG = numeric, RIGHTARG = numeric);

--
-- Name: keep_last(anyelement, anyelement); Type: FUNCTION; Schema: ledger; Owner: -
--

CREATE FUNCTION keep_last(state anyelement, value anyelement) RETURNS anyelement
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT coalesce(value, state)
$$;

--
-- Name: array_accum(anyelement); Type: AGGREGATE; Schema: ledger; Owner: -
--

CREATE AGGREGATE array_accum(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);

--
-- Name: last_known(anyelement); Type: AGGREGATE; Schema: ledger; Owner: -
--

CREATE AGGREGATE last_known(anyelement) (
    SFUNC = keep_last,
    STYPE = anyelement
);

--
-- Name: count_posting(); Type: FUNCTION; Schema: ledger; Owner: -
--

CREATE FUNCTION count_posting() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO ledger, pg_catalog
    AS $$
DECLARE
    of_entry entries;
BEGIN
    SELECT * INTO STRICT of_entry FROM entries WHERE id = NEW.entry_id;
    INSERT INTO period_totals (period, account_id)
    VALUES (of_entry.period, NEW.account_id)
    ON CONFLICT (period, account_id) DO NOTHING;

    IF NEW.side = 'debit' THEN
        UPDATE period_totals
           SET (debit) = (debit + NEW.amount)
         WHERE period = of_entry.period AND account_id = NEW.account_id;
    ELSE
        UPDATE period_totals
           SET (credit, last_booked) = (credit + NEW.amount, of_entry.booked_on)
         WHERE period = of_entry.period AND account_id = NEW.account_id;
    END IF;
    RETURN NULL;
END
$$;

--
-- Name: write_audit(); Type: FUNCTION; Schema: ledger; Owner: -
--

CREATE FUNCTION write_audit() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO ledger, pg_catalog
    AS $$
DECLARE
    was json;
BEGIN
    BEGIN
        was := row_to_json(OLD);
    EXCEPTION WHEN object_not_in_prerequisite_state THEN
        was := '{"new": true}';
    END;
    INSERT INTO audit (what, before, after) VALUES (TG_TABLE_NAME, was, row_to_json(NEW));
    RETURN NULL;
END
$$;

--
-- Name: protect_closed(); Type: FUNCTION; Schema: ledger; Owner: -
--

CREATE FUNCTION protect_closed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF OLD.closed AND NEW.code <> OLD.code THEN
            RAISE EXCEPTION 'account % is closed', OLD.code USING ERRCODE = 'check_violation';
        END IF;
    END IF;
    RETURN NEW;
END
$$;

--
-- Name: note_purge(); Type: FUNCTION; Schema: ledger; Owner: -
--

CREATE FUNCTION note_purge() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO ledger, pg_catalog
    AS $$
BEGIN
    INSERT INTO audit (what) VALUES (TG_OP || ' ' || TG_TABLE_NAME);
    RETURN NULL;
END
$$;

--
-- Name: trial_balance; Type: VIEW; Schema: ledger; Owner: -
--

CREATE VIEW trial_balance AS
 SELECT t.period,
    a.code,
    a.name,
    t.debit,
    t.credit,
    (t.debit - t.credit) AS net
   FROM (period_totals t
     JOIN accounts a ON ((a.id = t.account_id)));

--
-- Name: fx_fingerprints; Type: VIEW; Schema: ledger; Owner: -
--

CREATE VIEW fx_fingerprints AS
 SELECT r.valid_on,
    count(*) AS rates,
    md5(string_agg((((r.currency)::text || '='::text) || (r.rate)::text), ','::text ORDER BY r.currency)) AS fingerprint
   FROM fx_rates r
  GROUP BY r.valid_on;

--
-- Name: entry_fingerprints; Type: VIEW; Schema: ledger; Owner: -
--

CREATE VIEW entry_fingerprints AS
 SELECT p.entry_id,
    md5(string_agg(((p.amount)::text || (p.currency)::text), ','::text ORDER BY p.line)) AS fingerprint
   FROM postings p
  GROUP BY p.entry_id;

--
-- Constraints
--

ALTER TABLE ONLY accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY accounts
    ADD CONSTRAINT accounts_code_key UNIQUE (code);

ALTER TABLE ONLY entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY entries
    ADD CONSTRAINT entries_journal_no_key UNIQUE (journal_no);

ALTER TABLE ONLY postings
    ADD CONSTRAINT postings_pkey PRIMARY KEY (entry_id, line);

ALTER TABLE ONLY period_totals
    ADD CONSTRAINT period_totals_pkey PRIMARY KEY (period, account_id);

ALTER TABLE ONLY fx_rates
    ADD CONSTRAINT fx_rates_pkey PRIMARY KEY (currency, valid_on);

ALTER TABLE ONLY numbering
    ADD CONSTRAINT numbering_pkey PRIMARY KEY (series);

CREATE INDEX postings_account_idx ON postings USING btree (account_id);

--
-- Name: accounts accounts_no_delete; Type: RULE; Schema: ledger; Owner: -
--

CREATE RULE accounts_no_delete AS
    ON DELETE TO accounts DO INSTEAD  UPDATE accounts SET closed = true
  WHERE (accounts.id = old.id);

--
-- Triggers
--

CREATE TRIGGER accounts_protect BEFORE INSERT OR UPDATE ON accounts FOR EACH ROW EXECUTE PROCEDURE protect_closed();

CREATE TRIGGER entries_audit AFTER INSERT OR UPDATE ON entries FOR EACH ROW EXECUTE PROCEDURE write_audit();

CREATE TRIGGER postings_count AFTER INSERT ON postings FOR EACH ROW EXECUTE PROCEDURE count_posting();

CREATE TRIGGER postings_purged AFTER DELETE ON postings FOR EACH STATEMENT EXECUTE PROCEDURE note_purge();

CREATE TRIGGER fx_rates_loaded AFTER INSERT ON fx_rates FOR EACH STATEMENT EXECUTE PROCEDURE note_purge();

--
-- Foreign keys
--

ALTER TABLE ONLY postings
    ADD CONSTRAINT postings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);

ALTER TABLE ONLY postings
    ADD CONSTRAINT postings_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES entries(id) ON DELETE CASCADE;

ALTER TABLE ONLY period_totals
    ADD CONSTRAINT period_totals_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);

--
-- PostgreSQL database dump complete
--
