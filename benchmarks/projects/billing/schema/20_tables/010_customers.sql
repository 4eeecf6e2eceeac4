CREATE TABLE billing.customers (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name         text NOT NULL,
    vat          billing.vat_id,
    currency     billing.currency_code NOT NULL DEFAULT 'EUR',
    tags         text[] NOT NULL DEFAULT '{}',
    created_at   timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX customers_vat ON billing.customers (vat) WHERE vat IS NOT NULL;

CREATE TABLE billing.plans (
    code         text PRIMARY KEY,
    title        text NOT NULL,
    term         interval NOT NULL DEFAULT '1 month',
    grace        interval NOT NULL DEFAULT '14days',
    price        billing.amount NOT NULL
);
CREATE INDEX plans_price ON billing.plans (price);
CREATE INDEX plans_term_label ON billing.plans (lower(term::text));
