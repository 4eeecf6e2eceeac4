CREATE EXTENSION IF NOT EXISTS pg_stat_statements;

CREATE TABLE franchisee (
    franchisee_id  serial PRIMARY KEY,
    name           text NOT NULL UNIQUE,
    vat_no         text,
    royalty_pct    numeric(4,2) NOT NULL DEFAULT 6.50,
    joined_on      date NOT NULL DEFAULT current_date
) WITHOUT OIDS;

CREATE TABLE workshop (
    workshop_id    serial PRIMARY KEY,
    franchisee_id  integer NOT NULL REFERENCES franchisee,
    code           varchar(8) NOT NULL UNIQUE,
    city           text NOT NULL,
    location       point NOT NULL,
    hourly_rate    numeric(8,2) NOT NULL,
    opened_on      date NOT NULL,
    closed_on      date
);

CREATE TABLE customer (
    customer_id    bigserial PRIMARY KEY,
    workshop_id    integer NOT NULL REFERENCES workshop,
    full_name      text NOT NULL,
    email          text,
    phone          text,
    -- advertising source: flyer, club, web, walk-in
    adsrc          text,
    is_member      boolean NOT NULL DEFAULT false,
    created_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX customer_email_idx ON customer (lower(email));

CREATE TABLE bike (
    bike_id        bigserial PRIMARY KEY,
    customer_id    bigint NOT NULL REFERENCES customer ON DELETE CASCADE,
    brand          text NOT NULL,
    model          text,
    frame_no       text,
    wheel_size     text,
    electric       boolean NOT NULL DEFAULT false,
    bought_on      date
);
CREATE INDEX bike_frame_no_idx ON bike (frame_no);

CREATE TABLE work_order (
    work_order_id  bigserial PRIMARY KEY,
    workshop_id    integer NOT NULL REFERENCES workshop,
    bike_id        bigint NOT NULL REFERENCES bike,
    status         text NOT NULL DEFAULT 'received'
        CONSTRAINT work_order_status_check
        CHECK (status IN ('received', 'estimate', 'approved', 'in_repair', 'ready', 'collected', 'cancelled')),
    priority       smallint NOT NULL DEFAULT 2,
    -- minutes on the stand, over all mechanics
    total_time     integer NOT NULL DEFAULT 0,
    promised_on    date,
    tags           text[] NOT NULL DEFAULT '{}',
    notes          text,
    opened_at      timestamptz NOT NULL DEFAULT now(),
    closed_at      timestamptz
);
CREATE INDEX work_order_open_idx ON work_order (workshop_id, promised_on) WHERE closed_at IS NULL;
