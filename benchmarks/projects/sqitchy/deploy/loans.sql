-- Deploy circulation:loans to pg
-- requires: items

BEGIN;

SET LOCAL search_path = circ, public;

CREATE SEQUENCE member_no INCREMENT BY 10 START WITH 1000;

CREATE TABLE members (
    id     integer PRIMARY KEY DEFAULT nextval('member_no'),
    name   text NOT NULL,
    since  date NOT NULL DEFAULT current_date
) WITHOUT OIDS;

CREATE TABLE loans (
    id          serial PRIMARY KEY,
    item_id     integer NOT NULL REFERENCES items,
    member_id   integer NOT NULL REFERENCES members,
    loaned_at   timestamptz NOT NULL DEFAULT now(),
    due_on      date NOT NULL,
    returned_at timestamptz,
    renewals    integer NOT NULL DEFAULT 0
);

CREATE TABLE transfers (
    id            serial PRIMARY KEY,
    item_id       integer NOT NULL REFERENCES items,
    sent_location text NOT NULL,
    sent_at       timestamptz NOT NULL DEFAULT now()
);

GRANT SELECT, INSERT, UPDATE ON loans, transfers TO circ_app;

COMMIT;
