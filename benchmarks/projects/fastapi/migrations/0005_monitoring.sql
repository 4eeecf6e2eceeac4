CREATE EXTENSION IF NOT EXISTS pg_stat_statements;

CREATE TABLE metric_samples (
    taken_at timestamptz PRIMARY KEY DEFAULT now(),
    checkpoints_timed bigint NOT NULL,
    buffers_clean bigint NOT NULL
);

CREATE TABLE login_events (
    id bigserial PRIMARY KEY,
    happened_at timestamptz NOT NULL DEFAULT now(),
    system_user text NOT NULL DEFAULT session_user,
    client inet DEFAULT inet_client_addr()
);
