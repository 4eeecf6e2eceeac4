CREATE TABLE departments (
    id serial PRIMARY KEY,
    name text NOT NULL,
    region box
);

CREATE TABLE employees (
    id serial PRIMARY KEY,
    department_id integer NOT NULL REFERENCES departments (id),
    employee_no text NOT NULL UNIQUE CHECK (employee_no ~ '^[0-9]{6}$'),
    full_name text NOT NULL,
    grade smallint NOT NULL DEFAULT 1,
    home point,
    tags text[] NOT NULL DEFAULT '{}',
    hired_on date NOT NULL,
    system_user text
) WITH (OIDS = FALSE);

CREATE TABLE clockings (
    id bigserial PRIMARY KEY,
    employee_id integer NOT NULL REFERENCES employees (id),
    clocked_in timestamptz NOT NULL,
    clocked_out timestamptz
);

CREATE TABLE pay_slips (
    id bigserial PRIMARY KEY,
    employee_id integer NOT NULL REFERENCES employees (id),
    period_start date NOT NULL,
    gross numeric(12,2) NOT NULL,
    net numeric(12,2)
);

CREATE TABLE pay_slip_scans (
    pay_slip_id bigint NOT NULL,
    scan bytea NOT NULL
) WITH (OIDS = TRUE);
