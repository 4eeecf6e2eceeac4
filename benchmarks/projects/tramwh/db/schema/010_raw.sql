-- Landing area: as the source systems deliver it.
CREATE SCHEMA raw;
CREATE SCHEMA ref;
CREATE SCHEMA dwh;
CREATE SCHEMA ops;

CREATE TABLE raw.stop_event (
    event_id          bigint PRIMARY KEY,
    service_date      date NOT NULL,
    line_no           text NOT NULL,
    run_no            integer NOT NULL,
    vehicle_no        integer NOT NULL,
    stop_code         text NOT NULL,
    direction         smallint NOT NULL,
    planned_departure timestamptz NOT NULL,
    actual_arrival    timestamptz,
    actual_departure  timestamptz,
    boarded           integer NOT NULL DEFAULT 0,
    position          point,
    batch_id          text
);

CREATE TABLE raw.ticket_sale (
    sale_id     bigint PRIMARY KEY,
    sold_on     date NOT NULL,
    sold_at     timestamptz NOT NULL,
    machine_no  integer,
    product     text NOT NULL,
    price_cents integer NOT NULL,
    voided      boolean NOT NULL DEFAULT false,
    "system_user" text
);

CREATE TABLE raw.workshop_order (
    order_no     text PRIMARY KEY,
    vehicle_no   integer NOT NULL,
    kind         text NOT NULL,
    opened_on    date NOT NULL,
    closed_on    date,
    labour       interval,
    parts        text[] NOT NULL DEFAULT '{}',
    remarks      text
);

CREATE TABLE raw.incident (
    incident_id bigint PRIMARY KEY,
    happened_at timestamptz NOT NULL,
    line_no     text,
    vehicle_no  integer,
    severity    smallint NOT NULL,
    report      text NOT NULL
);
