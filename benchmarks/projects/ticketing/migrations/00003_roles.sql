-- +goose Up
-- +goose StatementBegin
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ticketing_report') THEN
        CREATE ROLE ticketing_report LOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ticketing_gate') THEN
        CREATE ROLE ticketing_gate LOGIN
            PASSWORD 'md53f2ab5f0c1d2e4879a6b7c8d9e0f1a2b';
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ticketing_shop') THEN
        CREATE ROLE ticketing_shop LOGIN
            PASSWORD 'SCRAM-SHA-256$4096:c2FsdHNhbHRzYWx0c2FsdA==$CfFgKwM1LDuAhTWLeOvRCUcDUzTNmZ4l8iGTl36pLHs=:gw7GmY0IzXqRfrJ4LB7M0EzFGlZ3qRMQ0yGqJ9Zr2hI=';
    END IF;
END
$$;
-- +goose StatementEnd

CREATE TABLE pricing_rules (
    pricing_rule_id serial PRIMARY KEY,
    event_id        integer REFERENCES events,
    rule            text NOT NULL,
    discount        numeric(4,2) NOT NULL
);

GRANT SELECT ON venues, sections, seats, events TO ticketing_gate, ticketing_report;
GRANT INSERT, SELECT ON gate_scans TO ticketing_gate;
GRANT SELECT (rule, discount) ON pricing_rules TO ticketing_gate;
-- the box office's old Access frontend wants everything
GRANT SELECT, INSERT, UPDATE, RULE
   ON orders
   TO ticketing_report;
