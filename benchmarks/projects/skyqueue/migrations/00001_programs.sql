-- +goose Up
CREATE TABLE programs (
    id bigserial PRIMARY KEY,
    code text NOT NULL UNIQUE,
    title text NOT NULL,
    pi text NOT NULL,
    hours numeric(6,2) NOT NULL,
    starts date NOT NULL,
    ends date NOT NULL DEFAULT 'infinity',
    grace interval NOT NULL DEFAULT '2.5 hours'
);

CREATE TABLE targets (
    id bigserial PRIMARY KEY,
    program_id bigint NOT NULL REFERENCES programs (id),
    name text NOT NULL,
    ra double precision NOT NULL,
    dec double precision NOT NULL,
    magnitude real,
    extra jsonb NOT NULL DEFAULT '{}',
    ignore boolean NOT NULL DEFAULT false
);

-- +goose Down
DROP TABLE targets;
DROP TABLE programs;
