CREATE TABLE accounts (
    id          bigserial PRIMARY KEY,
    email       text NOT NULL UNIQUE,
    balance     numeric(12,2) NOT NULL DEFAULT 0,
    bonus       numeric(12,2) NOT NULL DEFAULT 0,
    opened_at   timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE ledger (
    account_id  bigint NOT NULL REFERENCES accounts,
    amount      numeric(12,2) NOT NULL,
    reason      text NOT NULL,
    booked_at   timestamptz NOT NULL DEFAULT now()
) WITH (OIDS = TRUE);

CREATE INDEX ledger_account ON ledger (account_id, booked_at);
