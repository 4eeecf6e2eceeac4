-- Harmonic constituents and predictions

CREATE TABLE constituents (
    name        text PRIMARY KEY,
    period      interval NOT NULL,
    doodson     integer NOT NULL,
    description text
);

CREATE TABLE harmonics (
    station_id  bigint NOT NULL REFERENCES stations (id),
    constituent text NOT NULL REFERENCES constituents (name),
    amplitude_m numeric(7, 4) NOT NULL,
    phase_deg   numeric(6, 2) NOT NULL CHECK (phase_deg >= 0 AND phase_deg < 360),
    fitted_on   date NOT NULL,
    PRIMARY KEY (station_id, constituent)
);

CREATE TABLE predictions (
    station_id  bigint NOT NULL REFERENCES stations (id),
    tide_at     timestamptz NOT NULL,
    level_m     numeric(7, 3) NOT NULL,
    high        boolean NOT NULL,
    PRIMARY KEY (station_id, tide_at)
);

CREATE TABLE surges (
    id          bigserial PRIMARY KEY,
    station_id  bigint NOT NULL REFERENCES stations (id),
    peaked_at   timestamptz NOT NULL,
    level_m     numeric(7, 3) NOT NULL,
    lasted      interval NOT NULL,
    report      text
);

-- the search field of the laboratory looks for periods as they are written
CREATE INDEX constituents_period_text ON constituents ((period::text));
CREATE INDEX constituents_doodson ON constituents ((doodson::text));
CREATE INDEX constituents_period ON constituents (period);
CREATE INDEX surges_lasted ON surges ((date_part('epoch', lasted)));
