CREATE TABLE billing.audit_log (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    relation     text NOT NULL,
    system_user  text NOT NULL DEFAULT CURRENT_USER,
    digest       text,
    old_row      jsonb,
    new_row      jsonb
);

CREATE TABLE billing.gateway_events (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    received_at   timestamptz NOT NULL DEFAULT now(),
    "system_user" text,
    json_value    text,
    payload       jsonb NOT NULL
);

CREATE TABLE ops.bgwriter_snapshot (
    taken_at           timestamptz NOT NULL DEFAULT now(),
    checkpoints_timed  bigint,
    buffers_backend    bigint
);
