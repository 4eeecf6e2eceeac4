-- 0001: basic tables
CREATE SCHEMA port;
CREATE SCHEMA ops;

CREATE TABLE port.berths (
    id          serial PRIMARY KEY,
    code        text NOT NULL UNIQUE,
    name        text NOT NULL,
    length_m    integer NOT NULL CHECK (length_m > 0),
    max_draught numeric(4,1) NOT NULL,
    closed      boolean NOT NULL DEFAULT false,
    basin       box NOT NULL,
    tags        text[] NOT NULL DEFAULT '{}'
);

CREATE TABLE port.vessels (
    imo        integer PRIMARY KEY,
    name       text NOT NULL,
    flag       char(2) NOT NULL,
    length_m   integer NOT NULL,
    draught    numeric(4,1) NOT NULL,
    position   point,
    fixed_at   timestamptz,
    details    jsonb NOT NULL DEFAULT '{}'
);

CREATE SEQUENCE port.call_no_seq START 1000;

CREATE TABLE port.calls (
    id          bigint PRIMARY KEY DEFAULT nextval('port.call_no_seq'),
    imo         integer NOT NULL REFERENCES port.vessels,
    berth_id    integer REFERENCES port.berths,
    eta         timestamptz NOT NULL,
    eta_date    date NOT NULL,
    etd         timestamptz,
    moored_at   timestamp,
    turnaround  interval,
    agent       text NOT NULL,
    remarks     text NOT NULL DEFAULT '',
    cancelled   boolean NOT NULL DEFAULT false
);

CREATE INDEX calls_eta_idx ON port.calls (eta);
CREATE INDEX calls_moored_idx ON port.calls (moored_at timestamp_ops);
CREATE INDEX calls_turnaround_idx ON port.calls (berth_id, turnaround timespan_ops);

-- The column keeps the name that the old planning system exported.
CREATE TABLE port.audit (
    id            bigserial PRIMARY KEY,
    call_id       bigint NOT NULL REFERENCES port.calls,
    "system_user" text NOT NULL,
    changed_at    timestamptz NOT NULL DEFAULT now(),
    change        jsonb NOT NULL
);
