-- Traffic by month: the parent has the current month, closed months are children
CREATE TABLE hosting.traffic (
    website_id bigint NOT NULL,
    day        date NOT NULL,
    bytes_in   bigint NOT NULL DEFAULT 0,
    bytes_out  bigint NOT NULL DEFAULT 0
);
CREATE TABLE hosting.traffic_2023 (CHECK (day >= '2023-01-01' AND day < '2024-01-01')) INHERITS (hosting.traffic);
CREATE TABLE hosting.traffic_2024 (CHECK (day >= '2024-01-01' AND day < '2025-01-01')) INHERITS (hosting.traffic);
CREATE INDEX ON hosting.traffic (website_id, day);

-- What the web servers send, for some minutes; the collector makes the partitions
CREATE UNLOGGED TABLE hosting.ingest (
    received_at timestamptz NOT NULL,
    host        text NOT NULL,
    line        text NOT NULL
) PARTITION BY RANGE (received_at);

-- Requests that were refused
CREATE TABLE hosting.refused_request (
    at          timestamptz NOT NULL,
    website_id  bigint NOT NULL,
    client      inet NOT NULL,
    status      smallint NOT NULL
) PARTITION BY RANGE (at);
CREATE TABLE hosting.refused_request_rest PARTITION OF hosting.refused_request DEFAULT;

CREATE UNLOGGED TABLE hosting.import_error (
    at     timestamptz NOT NULL DEFAULT now(),
    detail text NOT NULL
);

-- Latency of the volumes, measured by the storage agents
CREATE TABLE hosting.volume_stats (
    volume         text NOT NULL,
    measured_at    timestamptz NOT NULL,
    blk_read_time  double precision NOT NULL,
    blk_write_time double precision NOT NULL,
    PRIMARY KEY (volume, measured_at)
);

-- Filled by hosting.note_health(), one row per table and hour
CREATE TABLE hosting.table_health (
    noted_at        timestamptz NOT NULL DEFAULT now(),
    relation        text NOT NULL,
    num_dead_tuples bigint NOT NULL,
    bytes           bigint NOT NULL
);

-- Monthly values of the old Nagios, kept for the graphs
CREATE TABLE hosting.bgwriter_history (
    month             date PRIMARY KEY,
    checkpoints_timed bigint NOT NULL,
    buffers_backend   bigint NOT NULL
);
