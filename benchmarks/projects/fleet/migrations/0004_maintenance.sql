CREATE TABLE fleet.service_plans (
    id     serial PRIMARY KEY,
    name   text NOT NULL,
    every  interval NOT NULL,
    max_km integer
);

-- the workshop's terminal searches plans by what it prints: '6 mons', '1 year'
CREATE INDEX service_plans_label_idx ON fleet.service_plans ((every::text));
CREATE INDEX service_plans_every_idx ON fleet.service_plans (every);

CREATE TABLE fleet.services (
    id         bigserial PRIMARY KEY,
    vehicle_id bigint NOT NULL REFERENCES fleet.vehicles (id),
    plan_id    integer NOT NULL REFERENCES fleet.service_plans (id),
    done_on    date NOT NULL,
    invoice    text,
    cost       text NOT NULL DEFAULT '0'
);

INSERT INTO fleet.service_plans (name, every, max_km) VALUES
    ('oil', interval '6 months', 15000),
    ('brakes', interval '1.5 months', 20000),
    ('inspection', interval '1 year', NULL);
