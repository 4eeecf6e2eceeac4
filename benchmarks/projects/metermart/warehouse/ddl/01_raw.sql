CREATE SCHEMA raw;
CREATE SCHEMA util;
CREATE SCHEMA ops;

CREATE TABLE raw.customers (
    customer_id  integer PRIMARY KEY,
    name         text NOT NULL,
    segment      text NOT NULL CHECK (segment IN ('home', 'shop', 'plant')),
    email        text,
    joined_at    timestamptz NOT NULL
);

CREATE TABLE raw.premises (
    premise_id   integer PRIMARY KEY,
    customer_id  integer NOT NULL REFERENCES raw.customers,
    street       text NOT NULL,
    city         text NOT NULL,
    feeder       text NOT NULL
);
CREATE INDEX premises_feeder_idx ON raw.premises (feeder);

CREATE TABLE raw.meters (
    meter_id     integer PRIMARY KEY,
    serial       text NOT NULL UNIQUE,
    premise_id   integer REFERENCES raw.premises,
    phases       smallint NOT NULL DEFAULT 1,
    multiplier   numeric(8,3) NOT NULL DEFAULT 1,
    installed_on date NOT NULL,
    removed_on   date,
    read_every   interval NOT NULL DEFAULT '30 minutes'
);
CREATE INDEX meters_premise_idx ON raw.meters (premise_id);
CREATE INDEX meters_read_every_idx ON raw.meters ((extract(epoch FROM read_every)));

CREATE TABLE raw.tariffs (
    tariff_id    integer PRIMARY KEY,
    code         text NOT NULL UNIQUE,
    term_years   numeric(4,2) NOT NULL,
    notice       interval NOT NULL,
    standing     numeric(10,2) NOT NULL,
    levy         numeric(10,2) NOT NULL DEFAULT 0,
    monthly      numeric(10,2) GENERATED ALWAYS AS (standing + levy) STORED
);
CREATE INDEX tariffs_term_idx ON raw.tariffs ((term_years::text));
CREATE INDEX tariffs_notice_idx ON raw.tariffs ((notice::text));

CREATE TABLE raw.tariff_rates (
    tariff_id    integer NOT NULL REFERENCES raw.tariffs,
    band         text NOT NULL,
    valid_from   date NOT NULL,
    rate         numeric(10,5) NOT NULL,
    PRIMARY KEY (tariff_id, band, valid_from)
);

CREATE TABLE raw.contracts (
    contract_id  integer PRIMARY KEY,
    premise_id   integer NOT NULL REFERENCES raw.premises,
    tariff_id    integer NOT NULL REFERENCES raw.tariffs,
    started_at   timestamptz NOT NULL,
    term         interval NOT NULL,
    ended_at     timestamptz
);
CREATE INDEX contracts_open_idx ON raw.contracts (premise_id) WHERE ended_at IS NULL;

-- What the head end sends, as it sends it.
CREATE TABLE raw.head_end_messages (
    message_id   bigint PRIMARY KEY,
    batch        text NOT NULL,
    serial       text NOT NULL,
    raw_at       text NOT NULL,
    raw_value    text NOT NULL,
    unit         text NOT NULL DEFAULT 'kWh',
    quality      smallint NOT NULL DEFAULT 0,
    received_at  timestamptz NOT NULL
);
CREATE INDEX head_end_messages_batch_idx ON raw.head_end_messages (batch);

CREATE TABLE raw.readings (
    meter_id     integer NOT NULL REFERENCES raw.meters,
    read_at      timestamptz NOT NULL,
    kwh          numeric(14,3) NOT NULL,
    quality      smallint NOT NULL DEFAULT 0,
    batch        text,
    PRIMARY KEY (meter_id, read_at)
) PARTITION BY RANGE (read_at);

CREATE TABLE raw.readings_2024_02 PARTITION OF raw.readings
    FOR VALUES FROM ('2024-02-01 00:00+00') TO ('2024-03-01 00:00+00');
CREATE TABLE raw.readings_2024_03 PARTITION OF raw.readings
    FOR VALUES FROM ('2024-03-01 00:00+00') TO ('2024-04-01 00:00+00');
-- The current month is loaded again from the files after a crash.
CREATE UNLOGGED TABLE raw.readings_2024_04 PARTITION OF raw.readings
    FOR VALUES FROM ('2024-04-01 00:00+00') TO ('2024-05-01 00:00+00');

-- The stream connector writes here; it makes a partition for each batch.
CREATE UNLOGGED TABLE raw.readings_stage (
    batch        text NOT NULL,
    serial       text NOT NULL,
    read_at      timestamptz NOT NULL,
    kwh          numeric(14,3)
) PARTITION BY LIST (batch);

CREATE UNLOGGED TABLE raw.rejects (
    batch        text NOT NULL,
    line         integer NOT NULL,
    reason       text NOT NULL,
    content      text
);

CREATE TABLE raw.weather_hourly (
    station      text NOT NULL,
    epoch_s      bigint NOT NULL,
    temperature  numeric(5,2),
    PRIMARY KEY (station, epoch_s)
);

-- Events of meters; those that a fitter enters may lack the register.
CREATE TABLE raw.events (
    event_id     bigint NOT NULL,
    meter_id     integer NOT NULL,
    register     text NOT NULL,
    kind         text NOT NULL,
    happened_at  timestamptz NOT NULL,
    note         text
);
CREATE TABLE raw.events_device (
    firmware     text NOT NULL,
    PRIMARY KEY (event_id)
) INHERITS (raw.events);
CREATE TABLE raw.events_manual (
    fitter       text NOT NULL,
    ticket       text NOT NULL,
    PRIMARY KEY (event_id)
) INHERITS (raw.events);
ALTER TABLE raw.events_manual ALTER COLUMN ticket DROP NOT NULL;
ALTER TABLE raw.events_manual ALTER COLUMN register DROP NOT NULL;
ALTER TABLE raw.events_device ALTER COLUMN note SET DEFAULT '';

CREATE TABLE raw.outages (
    outage_id    integer PRIMARY KEY,
    feeder       text NOT NULL,
    began_at     timestamptz NOT NULL,
    ended_at     timestamptz,
    cause        text NOT NULL DEFAULT 'unknown'
);
ALTER TABLE raw.outages ALTER COLUMN cause DROP NOT NULL;

CREATE TABLE raw.load_batches (
    batch        text PRIMARY KEY,
    file_name    text NOT NULL,
    loaded_at    timestamptz NOT NULL,
    row_count    integer NOT NULL DEFAULT 0
);
