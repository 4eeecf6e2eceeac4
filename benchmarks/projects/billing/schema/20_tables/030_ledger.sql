-- The ledger predates declarative partitioning and still uses inheritance.
CREATE TABLE billing.ledger (
    entry_id     bigserial PRIMARY KEY,
    customer_id  bigint NOT NULL,
    booked_at    timestamptz NOT NULL DEFAULT now(),
    amount       billing.amount NOT NULL,
    memo         text
);
CREATE TABLE billing.ledger_2023 (
    CHECK (booked_at >= '2023-01-01 00:00+00' AND booked_at < '2024-01-01 00:00+00')
) INHERITS (billing.ledger);
CREATE TABLE billing.ledger_2024 (
    CHECK (booked_at >= '2024-01-01 00:00+00' AND booked_at < '2025-01-01 00:00+00')
) INHERITS (billing.ledger);
CREATE INDEX ledger_2023_customer ON billing.ledger_2023 (customer_id);
CREATE INDEX ledger_2024_customer ON billing.ledger_2024 (customer_id);
