-- Baseline of the production schema as of release 5.0.
-- pg_dump --schema-only --no-owner --no-privileges, taken from 10.23

SET statement_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET client_min_messages = warning;

CREATE SCHEMA cms;

CREATE EXTENSION IF NOT EXISTS pg_stat_statements WITH SCHEMA public;

CREATE FUNCTION cms.slugify(title text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$
    SELECT trim(both '-' from regexp_replace(lower(title), '[^a-z0-9]+', '-', 'g'))
$$;

CREATE FUNCTION cms.slugify(title text, longest integer) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$
    SELECT rtrim(left(cms.slugify(title), longest), '-')
$$;

CREATE FUNCTION cms.excerpt(body text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$
    SELECT left(regexp_replace(body, '<[^>]+>', '', 'g'), 240)
$$;

CREATE FUNCTION cms.touch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW.changed_at := now();
    RETURN NEW;
END
$$;

CREATE TABLE cms.authors (
    id bigint NOT NULL,
    name text NOT NULL,
    email text,
    CONSTRAINT authors_pkey PRIMARY KEY (id)
);

CREATE TABLE cms.articles (
    id bigint NOT NULL,
    author_id bigint NOT NULL,
    slug text NOT NULL,
    title text NOT NULL,
    body text DEFAULT '' NOT NULL,
    state text DEFAULT 'draft' NOT NULL,
    embargo_epoch integer,
    printed_at timestamp without time zone,
    published_at timestamp with time zone,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    search tsvector,
    CONSTRAINT articles_pkey PRIMARY KEY (id),
    CONSTRAINT articles_slug_key UNIQUE (slug),
    CONSTRAINT articles_author_fk FOREIGN KEY (author_id) REFERENCES cms.authors (id)
);

CREATE INDEX articles_search_idx ON cms.articles USING gin (search);

CREATE TRIGGER articles_touch BEFORE UPDATE ON cms.articles
    FOR EACH ROW EXECUTE PROCEDURE cms.touch();

CREATE TABLE cms.images (
    id bigint NOT NULL,
    article_id bigint NOT NULL,
    path text NOT NULL,
    opaque boolean DEFAULT true NOT NULL,
    CONSTRAINT images_pkey PRIMARY KEY (id),
    CONSTRAINT images_article_fk FOREIGN KEY (article_id) REFERENCES cms.articles (id)
);

-- deliveries of the agencies, in NITF
CREATE TABLE cms.wire_items (
    id bigint NOT NULL,
    agency text NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    nitf xml NOT NULL,
    CONSTRAINT wire_items_pkey PRIMARY KEY (id)
);

CREATE TABLE cms.audit_log (
    id bigint NOT NULL,
    article_id bigint,
    action text NOT NULL,
    "system_user" text,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT audit_log_pkey PRIMARY KEY (id)
);

CREATE TABLE cms.render_stats (
    template text NOT NULL,
    calls bigint DEFAULT 0 NOT NULL,
    total_time double precision DEFAULT 0 NOT NULL,
    CONSTRAINT render_stats_pkey PRIMARY KEY (template)
);
