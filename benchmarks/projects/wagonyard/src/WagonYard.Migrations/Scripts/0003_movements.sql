CREATE TABLE movements (
    id           bigserial PRIMARY KEY,
    wagon_id     integer NOT NULL REFERENCES wagons (id),
    from_track   smallint,
    to_track     smallint NOT NULL,
    moved_at     timestamptz NOT NULL,
    moved_by     text NOT NULL DEFAULT current_setting('wagonyard.operator', true)
);

-- raw lines of the shunting computer; its driver locates rows by their oid
CREATE TABLE shunting_feed (
    received   timestamptz NOT NULL,
    line       text NOT NULL
) WITH OIDS;

-- what the feed could not be matched to
CREATE TABLE unmatched_feed (
    row_oid    bigint NOT NULL,
    line       text NOT NULL,
    reason     text
);

SET default_with_oids = off;

CREATE TABLE tracks (
    number     smallint PRIMARY KEY,
    depot_id   integer NOT NULL REFERENCES depots (id),
    length_m   numeric(6, 1) NOT NULL,
    electrified boolean NOT NULL DEFAULT false
);
