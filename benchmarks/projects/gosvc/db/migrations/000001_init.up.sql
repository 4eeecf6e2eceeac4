CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TABLE subnets (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    network cidr NOT NULL,
    name text NOT NULL,
    vlan integer CHECK (vlan BETWEEN 1 AND 4094),
    EXCLUDE USING gist (network inet_ops WITH &&)
);

CREATE TABLE leases (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subnet_id bigint NOT NULL REFERENCES subnets,
    address inet NOT NULL,
    host text NOT NULL,
    during tstzrange NOT NULL,
    attributes jsonb NOT NULL DEFAULT '{}'
);

CREATE INDEX leases_subnet ON leases (subnet_id);
