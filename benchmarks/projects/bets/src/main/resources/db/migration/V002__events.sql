CREATE SEQUENCE ticket_numbers START 100000 INCREMENT 10;

CREATE TABLE events (
    id         bigserial PRIMARY KEY,
    sport      text NOT NULL,
    name       text NOT NULL,
    starts_at  timestamptz NOT NULL,
    result     text
) WITH (OIDS = FALSE);

CREATE TABLE selections (
    id        bigserial PRIMARY KEY,
    event_id  bigint NOT NULL REFERENCES events,
    outcome   text NOT NULL,
    odds      double precision NOT NULL CHECK (odds > 1)
);
