-- Reference data, maintained by the network planning department.
CREATE TABLE ref.depot (
    depot_code text PRIMARY KEY,
    name       text NOT NULL,
    area       polygon NOT NULL,
    gate       point NOT NULL
);

CREATE TABLE ref.stop (
    stop_code text PRIMARY KEY,
    name      text NOT NULL,
    position  point NOT NULL,
    zone      smallint NOT NULL,
    barrier_free boolean NOT NULL DEFAULT false
);

CREATE TABLE ref.vehicle (
    vehicle_no        integer PRIMARY KEY,
    model             text NOT NULL,
    depot_code        text NOT NULL REFERENCES ref.depot,
    in_service_since  date NOT NULL,
    wheels_turned_on  date,
    retired_on        date
);

CREATE TABLE ref.calendar (
    day      date PRIMARY KEY,
    day_type text NOT NULL CHECK (day_type IN ('weekday', 'saturday', 'sunday', 'holiday'))
);

INSERT INTO ref.depot VALUES
    ('N', 'Depot Nord', '((0,10),(4,10),(4,14),(0,14))', '(2,10)'),
    ('S', 'Depot Sued', '((0,-10),(5,-10),(5,-6),(0,-6))', '(1,-6)');
