--liquibase formatted sql

--changeset nadia:002-leases
CREATE TABLE leases (
    id          serial PRIMARY KEY,
    box_id      integer NOT NULL REFERENCES boxes (id),
    customer_id integer NOT NULL REFERENCES customers (id),
    tariff_id   integer NOT NULL REFERENCES tariffs (id),
    period      daterange NOT NULL,
    signed_at   timestamptz NOT NULL DEFAULT now(),
    cancelled_at timestamptz,
    EXCLUDE USING gist (box_id WITH =, period WITH &&)
);

CREATE TABLE lease_holders (
    lease_id    integer NOT NULL REFERENCES leases (id) ON DELETE CASCADE,
    customer_id integer NOT NULL REFERENCES customers (id),
    share       numeric(5,4) NOT NULL DEFAULT 1,
    PRIMARY KEY (lease_id, customer_id)
);

CREATE TABLE box_keys (
    id          serial PRIMARY KEY,
    box_id      integer NOT NULL REFERENCES boxes (id),
    serial_no   text NOT NULL UNIQUE,
    tags        text[] NOT NULL DEFAULT '{}',
    handed_out  date,
    returned_on date,
    CHECK (returned_on IS NULL OR returned_on >= handed_out)
);

CREATE TABLE visits (
    id          bigserial PRIMARY KEY,
    lease_id    integer NOT NULL REFERENCES leases (id),
    customer_id integer NOT NULL REFERENCES customers (id),
    visit_day   date NOT NULL,
    entered_at  timestamptz NOT NULL,
    left_at     timestamptz,
    escorted_by integer REFERENCES staff (id)
);
CREATE INDEX visits_day_idx ON visits (visit_day);
CREATE INDEX visits_open_idx ON visits (lease_id) WHERE left_at IS NULL;

CREATE TABLE invoices (
    id          serial PRIMARY KEY,
    lease_id    integer NOT NULL REFERENCES leases (id),
    issued_on   date NOT NULL,
    due_on      date NOT NULL,
    amount      numeric(10,2) NOT NULL,
    details     jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX invoices_details_idx ON invoices USING gin (details jsonb_path_ops);

CREATE TABLE payments (
    id          serial PRIMARY KEY,
    invoice_id  integer NOT NULL REFERENCES invoices (id),
    paid_at     timestamptz NOT NULL,
    amount      numeric(10,2) NOT NULL CHECK (amount > 0),
    reference   text
);

CREATE TABLE documents (
    id          serial PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES customers (id),
    title       text NOT NULL,
    body        text NOT NULL,
    search      tsvector GENERATED ALWAYS AS (to_tsvector('simple', title || ' ' || body)) STORED
);
CREATE INDEX documents_search_idx ON documents USING gin (search);

--changeset oliver:002-audit
CREATE TABLE audit_log (
    id          bigserial PRIMARY KEY,
    at          timestamptz NOT NULL DEFAULT now(),
    "system_user" text NOT NULL,
    staff_login text,
    action      text NOT NULL,
    payload     jsonb NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE audit_log IS 'system_user is the account of the calling system: teller, kiosk or batch';
CREATE INDEX audit_log_caller_idx ON audit_log ("system_user", at);
--rollback DROP TABLE audit_log;
