CREATE EXTENSION IF NOT EXISTS pg_stat_statements;
CREATE SCHEMA hosting;

CREATE TABLE hosting.customer (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    number     text NOT NULL UNIQUE,
    name       text NOT NULL,
    parent     bigint REFERENCES hosting.customer,      -- resellers
    level      integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    closed_at  timestamptz
);

CREATE TABLE hosting.website (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer_id bigint NOT NULL REFERENCES hosting.customer,
    domain      text NOT NULL UNIQUE,
    php_version text,
    quota_bytes bigint NOT NULL DEFAULT 10737418240,
    aliases     text[] NOT NULL DEFAULT '{}'
);

CREATE TABLE hosting.mailbox (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    website_id  bigint NOT NULL REFERENCES hosting.website,
    local_part  text NOT NULL,
    reserved    boolean NOT NULL DEFAULT false,
    UNIQUE (website_id, local_part)
);

CREATE TABLE hosting.reserved_local_part (
    local_part text PRIMARY KEY,
    reason     text NOT NULL
);

INSERT INTO hosting.reserved_local_part VALUES
    ('abuse', 'RFC 2142'),
    ('postmaster', 'RFC 5321, must always be delivered'),
    ('hostmaster', 'RFC 2142');
