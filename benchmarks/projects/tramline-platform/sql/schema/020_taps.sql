CREATE TABLE platform.tap_event (
    tap_id       bigint NOT NULL,
    validator_id integer NOT NULL,
    tapped_at    timestamptz NOT NULL,
    fare_cents   integer NOT NULL,
    PRIMARY KEY (tap_id, tapped_at)
) PARTITION BY RANGE (tapped_at);

CREATE TABLE platform.tap_event_2023 PARTITION OF platform.tap_event
    FOR VALUES FROM ('2023-01-01') TO ('2024-01-01');
CREATE TABLE platform.tap_event_2024 PARTITION OF platform.tap_event
    FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
CREATE UNLOGGED TABLE platform.tap_event_rest PARTITION OF platform.tap_event DEFAULT;

-- raw messages of the validators, before they are checked
CREATE UNLOGGED TABLE platform.tap_inbox (
    received_at timestamptz NOT NULL,
    message     jsonb NOT NULL
) PARTITION BY RANGE (received_at);
