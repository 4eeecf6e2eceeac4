CREATE TABLE count_order (
    id          serial PRIMARY KEY,
    bin_id      integer NOT NULL REFERENCES bin (id),
    due_on      date NOT NULL,
    counted     integer,
    seed        double precision,
    UNIQUE (bin_id, due_on)
);

CREATE FUNCTION count_due(bin_id integer) RETURNS boolean LANGUAGE sql STABLE AS
$$ SELECT NOT EXISTS (SELECT 1 FROM count_order o WHERE o.bin_id = $1 AND o.due_on > current_date - 90) $$;

CREATE FUNCTION count_due(bin_code text) RETURNS boolean LANGUAGE sql STABLE AS
$$ SELECT count_due(b.id) FROM bin b WHERE b.code = bin_code $$;

-- replaced by the scheduler's own rule
DROP FUNCTION IF EXISTS count_due(text);
