-- Editorial system of the Alpenbote. Loaded into a new database; changes are applied by hand.

CREATE EXTENSION IF NOT EXISTS pg_stat_statements;

CREATE SCHEMA editorial;
CREATE SCHEMA dba;

-- From before the server had such a thing; the reports rely on it.
CREATE FUNCTION public.json_value(doc jsonb, key text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT doc ->> key $$;

CREATE TABLE editorial.author (
    author_id integer PRIMARY KEY,
    name text NOT NULL,
    sign varchar(4) NOT NULL UNIQUE,
    freelance boolean NOT NULL DEFAULT false
);

CREATE TABLE editorial.edition (
    edition_id integer PRIMARY KEY,
    published_on date NOT NULL,
    region text NOT NULL,
    pages smallint NOT NULL,
    UNIQUE (published_on, region)
);

CREATE TABLE editorial.article (
    article_id bigint PRIMARY KEY,
    author_id integer NOT NULL REFERENCES editorial.author,
    edition_id integer REFERENCES editorial.edition,
    section text NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    meta jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    released_at timestamptz
);

CREATE TABLE editorial.article_revision (
    revision_id bigint PRIMARY KEY,
    article_id bigint NOT NULL REFERENCES editorial.article,
    saved_at timestamptz NOT NULL,
    "system_user" text NOT NULL,
    body text NOT NULL
);

CREATE INDEX article_revision_article_id_idx ON editorial.article_revision (article_id);
CREATE INDEX article_released_idx ON editorial.article (released_at) WHERE released_at IS NOT NULL;
CREATE INDEX article_search_idx ON editorial.article USING gin (to_tsvector('simple', title || ' ' || body));

CREATE TABLE editorial.wire (
    wire_id bigint PRIMARY KEY,
    agency text NOT NULL,
    received_at timestamptz NOT NULL,
    payload jsonb NOT NULL
);

-- Notes of the DBA, and samples of the server's counters (kept for five years)
CREATE TABLE dba.runbook (
    topic text PRIMARY KEY,
    advice text NOT NULL
);

INSERT INTO dba.runbook (topic, advice) VALUES
    ('disk full', 'Empty the directory log first, then look at pg_wal.'),
    ('statistics', 'stats_temp_directory is on tmpfs, so nothing is lost but counters.'),
    ('standby', 'Never touch promote_trigger_file; call pg_promote().');

CREATE TABLE dba.server_sample (
    taken_on date PRIMARY KEY,
    checkpoints_timed bigint NOT NULL,
    database_bytes bigint NOT NULL
);

CREATE FUNCTION editorial.release(which bigint) RETURNS timestamptz
    LANGUAGE plpgsql
    AS $$
DECLARE
    at timestamptz;
BEGIN
    UPDATE editorial.article SET released_at = now()
     WHERE article_id = which AND released_at IS NULL
    RETURNING released_at INTO at;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'article % is released already, or missing', which;
    END IF;
    RETURN at;
END
$$;

CREATE VIEW editorial.output AS
    SELECT a.section,
           date_trunc('month', a.released_at) AS month,
           extract(year FROM a.released_at)::integer AS year,
           count(*) AS articles
      FROM editorial.article a
     WHERE a.released_at IS NOT NULL
     GROUP BY 1, 2, 3;
