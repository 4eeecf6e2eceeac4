-- Schema of a new ledger environment.
SET client_min_messages = warning;

CREATE SCHEMA ledger;
CREATE EXTENSION pg_stat_statements;

CREATE TABLE ledger.account (
    id        bigserial PRIMARY KEY,
    iban      text NOT NULL UNIQUE,
    owner     text NOT NULL,
    currency  char(3) NOT NULL DEFAULT 'EUR',
    opened_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE ledger.posting (
    id         bigserial PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES ledger.account (id),
    amount     numeric(18, 2) NOT NULL,
    booked_at  timestamptz NOT NULL DEFAULT now(),
    reference  text
);

-- accepted since 13, and ignored
CREATE INDEX posting_booked ON ledger.posting (booked_at) WITH (vacuum_cleanup_index_scale_factor = 0.05);
CREATE INDEX posting_account ON ledger.posting (account_id, booked_at);

-- audit events; the archive inherits, as it is on another tablespace in production
CREATE TABLE ledger.event (
    id      bigserial,
    at      timestamptz NOT NULL DEFAULT now(),
    kind    text NOT NULL,
    payload jsonb
);
CREATE TABLE ledger.event_archive (
    archived_at timestamptz NOT NULL DEFAULT now()
) INHERITS (ledger.event);

-- what the banks deliver; nothing here survives a crash, it is sent again
CREATE UNLOGGED TABLE ledger.inbox (
    bank     text NOT NULL,
    received date NOT NULL,
    line     integer NOT NULL,
    body     text
) PARTITION BY RANGE (received);

CREATE TABLE ledger.statement (
    account_id bigint NOT NULL,
    day        date NOT NULL,
    balance    numeric(18, 2) NOT NULL
) PARTITION BY RANGE (day);
CREATE UNLOGGED TABLE ledger.statement_draft
    PARTITION OF ledger.statement FOR VALUES FROM ('2030-01-01') TO ('2031-01-01');

CREATE UNLOGGED TABLE ledger.rate_cache (
    pair text PRIMARY KEY,
    rate numeric NOT NULL
);

-- filled by the nightly job, one row a host
CREATE TABLE ledger.host_sample (
    host              text NOT NULL,
    sampled_at        timestamptz NOT NULL DEFAULT now(),
    checkpoints_timed bigint,
    blk_read_time     double precision,
    PRIMARY KEY (host, sampled_at)
);

CREATE FUNCTION ledger.balance(p_account bigint, p_until timestamptz) RETURNS numeric
LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(amount), 0) FROM ledger.posting WHERE account_id = p_account AND booked_at < p_until
$$;
