CREATE EXTENSION IF NOT EXISTS pg_stat_statements;

CREATE TABLE platform.validator (
    validator_id integer PRIMARY KEY,
    stop_code    text NOT NULL,
    lines        integer[] NOT NULL DEFAULT '{}',
    settings     jsonb NOT NULL DEFAULT '{}',
    "system_user" text
);

CREATE TABLE platform.device_tree (
    device_id integer PRIMARY KEY,
    parent    integer REFERENCES platform.device_tree,
    level     integer NOT NULL
);

CREATE TABLE platform.storage_sample (
    device_id         integer NOT NULL,
    op_bytes          integer NOT NULL DEFAULT 8192,
    checkpoints_timed bigint NOT NULL DEFAULT 0,
    wal_sync          bigint NOT NULL DEFAULT 0
);

-- what is forwarded to the clearing house
CREATE TABLE platform.rule (
    rule_id   serial PRIMARY KEY,
    pattern   text NOT NULL,
    keep_for  interval NOT NULL DEFAULT interval '90 days',
    retry     interval NOT NULL DEFAULT interval '2 hours ago'
);

CREATE UNLOGGED TABLE platform.session_cache (
    token   uuid PRIMARY KEY,
    content jsonb
);

CREATE TABLE platform.operator_note (
    note_id serial PRIMARY KEY,
    body    text NOT NULL
);
INSERT INTO platform.operator_note (body) VALUES
    ('If the disk is full look at SELECT checkpoints_req FROM pg_stat_bgwriter first'),
    ('SHOW lc_collate must be C on all nodes');
