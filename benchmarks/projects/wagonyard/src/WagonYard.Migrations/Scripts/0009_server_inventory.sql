-- what the operations team wants to see on the status page
CREATE TABLE server_inventory (
    host               text NOT NULL,
    wal_keep_segments  integer,
    note               text
);

INSERT INTO server_inventory (host, wal_keep_segments, note)
VALUES ('nordhafen-db1', 64, 'standby reads recovery.conf from /etc/wagonyard'),
       ('altenbruck-db1', 32, 'replacement_sort_tuples raised during the tests in March');

CREATE FUNCTION factorial_of(n integer) RETURNS numeric
    LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
    result numeric := 1;
BEGIN
    WHILE n != 0 LOOP
        result := result * n;
        n := n - 1;
    END LOOP;
    RETURN result;
END
$$;
