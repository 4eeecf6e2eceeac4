CREATE UNLOGGED TABLE scan_inbox (
    id bigint GENERATED ALWAYS AS IDENTITY,
    received_at timestamptz NOT NULL DEFAULT now(),
    body jsonb NOT NULL
);

CREATE UNLOGGED TABLE scan_results (
    scanned_at timestamptz NOT NULL,
    address inet NOT NULL,
    mac macaddr,
    latency interval
) PARTITION BY RANGE (scanned_at);

CREATE TABLE scan_results_default PARTITION OF scan_results DEFAULT;
