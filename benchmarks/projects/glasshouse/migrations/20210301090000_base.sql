-- Houses, zones and benches, the crops on them, and who looks after them.

CREATE TABLE houses (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    code        text NOT NULL UNIQUE,
    name        text NOT NULL,
    glazing     text NOT NULL DEFAULT 'float',
    area_m2     numeric(8, 1) NOT NULL CHECK (area_m2 > 0),
    time_zone   text NOT NULL DEFAULT 'Europe/Amsterdam',
    built_on    date
);

CREATE TABLE zones (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    house_id    integer NOT NULL REFERENCES houses (id),
    code        text NOT NULL,
    title       text NOT NULL,
    length_m    numeric(6, 2) NOT NULL,
    width_m     numeric(6, 2) NOT NULL,
    surface_m2  numeric(10, 2) GENERATED ALWAYS AS (length_m * width_m) STORED,
    UNIQUE (house_id, code)
);

CREATE TABLE benches (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    zone_id     integer NOT NULL REFERENCES zones (id) ON DELETE CASCADE,
    house_code  text NOT NULL,
    label       text NOT NULL,
    rfid        text,
    heated      boolean NOT NULL DEFAULT false,
    unlogged    boolean NOT NULL DEFAULT false,
    UNIQUE (zone_id, label)
);
COMMENT ON COLUMN benches.unlogged IS 'true: climate of this bench is not kept in the log book';

CREATE TABLE operators (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    login       text NOT NULL UNIQUE,
    full_name   text NOT NULL,
    role        text NOT NULL DEFAULT 'grower' CHECK (role IN ('grower', 'technician', 'manager')),
    phone       text,
    active      boolean NOT NULL DEFAULT true
);

CREATE TABLE cultivars (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    species     text NOT NULL,
    name        text NOT NULL,
    seed_code   text NOT NULL UNIQUE,
    crc32       bigint,
    days_to_harvest integer NOT NULL,
    UNIQUE (species, name)
);

CREATE TABLE batches (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    cultivar_id integer NOT NULL REFERENCES cultivars (id),
    bench_id    integer NOT NULL REFERENCES benches (id),
    sown_on     date NOT NULL,
    moved_on    date,
    cleared_on  date,
    plants      integer NOT NULL CHECK (plants >= 0),
    note        text,
    CHECK (cleared_on IS NULL OR cleared_on >= sown_on)
);
CREATE INDEX batches_bench_open ON batches (bench_id) WHERE cleared_on IS NULL;

CREATE TABLE inspection_rounds (
    id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    operator_id       integer NOT NULL REFERENCES operators (id),
    house_id          integer NOT NULL REFERENCES houses (id),
    walked_on         date NOT NULL DEFAULT current_date,
    checkpoints_timed integer NOT NULL DEFAULT 0,
    checkpoints_req   integer NOT NULL DEFAULT 0,
    remark            text
);

CREATE TABLE pest_observations (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    batch_id    bigint NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
    round_id    bigint REFERENCES inspection_rounds (id) ON DELETE SET NULL,
    pest        text NOT NULL,
    severity    smallint NOT NULL CHECK (severity BETWEEN 1 AND 5),
    leaves      integer[] NOT NULL DEFAULT '{}',
    seen_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX pest_observations_batch ON pest_observations (batch_id, seen_at DESC);
