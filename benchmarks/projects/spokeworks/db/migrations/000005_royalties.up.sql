CREATE TABLE royalty_statement (
    franchisee_id  integer NOT NULL REFERENCES franchisee,
    period_month   date NOT NULL,
    turnover       numeric(12,2) NOT NULL,
    royalty        numeric(12,2) NOT NULL,
    paid_at        timestamptz,
    PRIMARY KEY (franchisee_id, period_month)
) WITH (fillfactor = 90, OIDS = FALSE);

CREATE TABLE warranty_rule (
    warranty_rule_id serial PRIMARY KEY,
    item           text NOT NULL,
    lasts          interval NOT NULL
);
INSERT INTO warranty_rule (item, lasts) VALUES
    ('wheel truing', '0.5 years'),
    ('drivetrain', '1.5 years'),
    ('e-bike battery', '2 years');

CREATE TABLE mystery_visit (
    mystery_visit_id serial PRIMARY KEY,
    workshop_id    integer NOT NULL REFERENCES workshop,
    visited_on     date NOT NULL,
    -- since the shop opened that morning
    reltime        interval NOT NULL,
    score          integer CHECK (score BETWEEN 0 AND 100)
);
