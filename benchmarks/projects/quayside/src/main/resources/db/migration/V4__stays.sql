CREATE TABLE stay (
    stay_id     bigserial PRIMARY KEY,
    berth_id    integer NOT NULL REFERENCES berth,
    boat_id     integer NOT NULL REFERENCES boat,
    arrived_at  timestamp NOT NULL,
    departed_at timestamp,
    booked_for  interval NOT NULL DEFAULT interval '1 day',
    status      smallint NOT NULL DEFAULT 0,
    tags        text[] NOT NULL DEFAULT '{}'
);
CREATE INDEX stay_berth ON stay (berth_id, arrived_at);
CREATE INDEX stay_booked_for ON stay (booked_for);

CREATE TABLE meter_reading (
    reading_id  bigserial PRIMARY KEY,
    berth_id    integer NOT NULL REFERENCES berth,
    read_at     timestamp NOT NULL,
    kwh         numeric(10,3) NOT NULL
);
CREATE INDEX meter_reading_kwh_text ON meter_reading ((kwh::text));

-- hours that the crane and the workshop spent on a boat
CREATE TABLE service_job (
    job_id      serial PRIMARY KEY,
    boat_id     integer NOT NULL REFERENCES boat,
    kind        text NOT NULL,
    calls       integer NOT NULL DEFAULT 1,
    total_time  double precision NOT NULL DEFAULT 0
);
