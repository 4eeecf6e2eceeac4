-- 0003: what the operators' dashboard shows

CREATE TABLE ops.samples (
    taken_at          timestamptz PRIMARY KEY DEFAULT now(),
    connections       integer NOT NULL,
    buffers_backend   bigint,
    checkpoints_timed bigint
);

CREATE TABLE ops.backup_runs (
    id       serial PRIMARY KEY,
    label    text NOT NULL,
    started  timestamptz NOT NULL DEFAULT now(),
    finished timestamptz
);

-- The panels ask this, not the server: a run counts until its archive is uploaded.
CREATE FUNCTION ops.pg_is_in_backup() RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM ops.backup_runs WHERE finished IS NULL)
$$;

CREATE TABLE ops.notices (
    id     serial PRIMARY KEY,
    text   text NOT NULL,
    hidden boolean NOT NULL DEFAULT false
);

CREATE RULE keep_notices AS ON DELETE TO ops.notices
    DO INSTEAD UPDATE ops.notices SET hidden = true WHERE id = OLD.id;
