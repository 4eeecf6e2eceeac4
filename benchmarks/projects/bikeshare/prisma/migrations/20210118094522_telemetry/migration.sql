CREATE SCHEMA IF NOT EXISTS ops;

-- raw positions: may be lost in a crash, the bikes send them again
CREATE UNLOGGED TABLE telemetry (
    bike_id  integer NOT NULL,
    sent_at  timestamptz NOT NULL,
    position point NOT NULL,
    battery  real
) PARTITION BY RANGE (sent_at);

CREATE UNLOGGED TABLE telemetry_inbox (
    received_at timestamptz NOT NULL DEFAULT now(),
    body        jsonb NOT NULL
);

CREATE TABLE ops.bgwriter_history (
    taken_at          timestamptz PRIMARY KEY DEFAULT now(),
    checkpoints_timed bigint,
    buffers_backend   bigint
);

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'bikeshare_reporting') THEN
        CREATE ROLE bikeshare_reporting;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'rule') THEN
        CREATE ROLE "rule";
    END IF;
END
$$;

-- the engine that evaluates the fraud rules logs in as "rule"
GRANT SELECT ON rentals TO "rule";
GRANT SELECT, INSERT, UPDATE, DELETE,
      RULE, REFERENCES, TRIGGER
   ON ops.bgwriter_history TO bikeshare_reporting;
GRANT USAGE ON SCHEMA ops TO bikeshare_reporting;
