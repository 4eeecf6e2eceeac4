CREATE FUNCTION strip_domain(name text) RETURNS text
    LANGUAGE sql IMMUTABLE
    RETURN split_part(name, '.', 1);

CREATE FUNCTION host_key(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN lower(strip_domain(name));
END
$$;

CREATE FUNCTION host_sort(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE SET search_path = public AS $$
BEGIN
    RETURN lpad(strip_domain(name), 63);
END
$$;

INSERT INTO subnets (network, name) VALUES ('127.0.0.0/8', 'loopback');
INSERT INTO leases (subnet_id, address, host, during)
SELECT id, '127.0.0.1', 'localhost.localdomain', '[,)' FROM subnets WHERE name = 'loopback';

CREATE INDEX leases_host_key ON leases (host_key(host));
CREATE INDEX leases_host_sort ON leases (host_sort(host));
