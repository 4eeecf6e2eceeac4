-- which consumer may connect from where; a network belongs to one consumer at a time
CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TABLE cdc.consumer_network (
    consumer    integer NOT NULL,
    network     inet NOT NULL,
    valid       tstzrange NOT NULL DEFAULT tstzrange(now(), NULL),
    CONSTRAINT one_consumer_per_network 
        EXCLUDE USING gist (network WITH =, valid WITH &&)
);

CREATE TABLE cdc.blocked_network (
    block_id    integer PRIMARY KEY,
    network     cidr NOT NULL,
    EXCLUDE USING gist (network inet_ops WITH &&)
);

CREATE TABLE cdc.consumer_window (
    consumer    integer NOT NULL,
    valid       tstzrange NOT NULL,
    EXCLUDE USING gist (consumer WITH =, valid WITH &&)
);
