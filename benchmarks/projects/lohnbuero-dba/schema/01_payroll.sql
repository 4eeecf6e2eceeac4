-- Payroll of our clients. One schema, one database: payroll
CREATE SCHEMA payroll;

CREATE TABLE payroll.clients (
    id        integer PRIMARY KEY,
    name      text NOT NULL,
    tax_no    text NOT NULL,
    active    boolean NOT NULL DEFAULT true
);

CREATE TABLE payroll.employees (
    id         bigserial PRIMARY KEY,
    client_id  integer NOT NULL REFERENCES payroll.clients (id),
    last_name  text NOT NULL,
    first_name text NOT NULL,
    iban       text,
    hired_on   date NOT NULL,
    left_on    date
);

CREATE TABLE payroll.pay_runs (
    id         bigserial PRIMARY KEY,
    client_id  integer NOT NULL REFERENCES payroll.clients (id),
    period     date NOT NULL,
    status     text NOT NULL DEFAULT 'open',
    started_at timestamptz,
    closed_at  timestamptz
);

CREATE TABLE payroll.time_entries (
    id          bigserial PRIMARY KEY,
    pay_run_id  bigint NOT NULL REFERENCES payroll.pay_runs (id),
    employee_id bigint NOT NULL REFERENCES payroll.employees (id),
    worked_on   date NOT NULL,
    hours       double precision NOT NULL,
    rate        numeric(10,4) NOT NULL
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE payroll.payslips (
    id          bigserial PRIMARY KEY,
    pay_run_id  bigint NOT NULL REFERENCES payroll.pay_runs (id),
    employee_id bigint NOT NULL REFERENCES payroll.employees (id),
    gross       numeric(12,2) NOT NULL,
    tax         numeric(12,2) NOT NULL,
    net         numeric(12,2) NOT NULL
);

CREATE INDEX employees_client ON payroll.employees (client_id);
-- rows of the open run are updated all day
CREATE INDEX time_entries_run ON payroll.time_entries (pay_run_id, employee_id) WITH ("FillFactor" = 70);
CREATE INDEX payslips_run ON payroll.payslips (pay_run_id) WITH (FillFactor = 80);
CREATE INDEX pay_runs_open ON payroll.pay_runs (client_id) WHERE status = 'open';
