CREATE TABLE transport_route (
    route_id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name           text NOT NULL,
    -- checkpoints at which the box's temperature is read: at fixed times, and on request
    checkpoints_timed integer NOT NULL DEFAULT 0,
    checkpoints_req   integer NOT NULL DEFAULT 0
);

CREATE TABLE unit_of_blood (
    unit_id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    donation_id    bigint NOT NULL REFERENCES donation,
    component      text NOT NULL,
    blood_group    varchar(3) NOT NULL,
    expires_on     date NOT NULL,
    route_id       integer REFERENCES transport_route,
    issued_at      timestamptz
);
CREATE INDEX unit_stock_idx ON unit_of_blood (blood_group, component, expires_on) WHERE issued_at IS NULL;
ALTER TABLE unit_of_blood ALTER COLUMN blood_group SET STATISTICS 500;
