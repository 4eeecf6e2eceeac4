CREATE TABLE billing.invoices (
    id           bigint GENERATED ALWAYS AS IDENTITY,
    customer_id  bigint NOT NULL REFERENCES billing.customers (id),
    plan_code    text REFERENCES billing.plans (code),
    issued_on    date NOT NULL,
    due_on       date NOT NULL,
    state        billing.invoice_state NOT NULL DEFAULT 'draft',
    net          billing.amount NOT NULL,
    vat          billing.amount NOT NULL DEFAULT 0,
    gross        numeric(14, 2) GENERATED ALWAYS AS (net + vat) STORED,
    attempts     integer NOT NULL DEFAULT 0,
    PRIMARY KEY (id, issued_on)
) PARTITION BY RANGE (issued_on);

CREATE TABLE billing.invoices_2023 PARTITION OF billing.invoices
    FOR VALUES FROM ('2023-01-01') TO ('2024-01-01');
CREATE TABLE billing.invoices_2024 PARTITION OF billing.invoices
    FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
CREATE TABLE billing.invoices_default PARTITION OF billing.invoices DEFAULT;
CREATE INDEX invoices_due ON billing.invoices (due_on) WHERE state = 'open';
