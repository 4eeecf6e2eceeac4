-- snapshot rows land here before they go to the broker
CREATE UNLOGGED TABLE cdc.snapshot_chunk (
    chunk_id    bigint PRIMARY KEY,
    relation    text NOT NULL,
    first_key   text,
    last_key    text,
    done        boolean NOT NULL DEFAULT false
);

CREATE UNLOGGED TABLE cdc.snapshot_row (
    chunk_id    bigint NOT NULL,
    relation    text NOT NULL,
    body        jsonb NOT NULL
) PARTITION BY HASH (chunk_id);

CREATE TABLE cdc.heartbeat (
    source_id   integer NOT NULL,
    beat        bigint NOT NULL,
    sent_at     timestamptz NOT NULL DEFAULT now()
) PARTITION BY RANGE (beat);

CREATE TABLE cdc.heartbeat_0 PARTITION OF cdc.heartbeat FOR VALUES FROM (0) TO (1000000);
CREATE TABLE cdc.heartbeat_1 PARTITION OF cdc.heartbeat FOR VALUES FROM (1000000) TO (2000000);
