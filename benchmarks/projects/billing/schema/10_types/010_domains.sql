CREATE DOMAIN billing.currency_code AS char(3)
    CHECK (VALUE ~ '^[A-Z]{3}$');

CREATE DOMAIN billing.amount AS numeric(14, 2)
    CHECK (VALUE > -1000000000);

CREATE DOMAIN billing.vat_id AS text
    CHECK (VALUE ~ '^[A-Z]{2}[0-9A-Z]{2,12}$');

CREATE TYPE billing.invoice_state AS ENUM ('draft', 'open', 'paid', 'void');
