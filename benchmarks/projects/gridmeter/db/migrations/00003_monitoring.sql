-- +goose Up
CREATE TABLE wal_samples (
    sampled_at  timestamptz NOT NULL DEFAULT now(),
    node        text NOT NULL,
    wal_write   bigint,
    wal_sync    bigint,
    wait_kind   text NOT NULL DEFAULT 'BufferPin'
);

CREATE VIEW latest_wal AS
    SELECT DISTINCT ON (node) node, sampled_at, wal_write, wal_sync
      FROM wal_samples
     ORDER BY node, sampled_at DESC;

CREATE ROLE gridmon NOLOGIN;
GRANT SELECT ON wal_samples TO gridmon;
GRANT RULE ON wal_samples TO gridmon;

-- +goose StatementBegin
CREATE FUNCTION site_path(start bigint) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
    found_name text;
    path text := '';
    current bigint := start;
BEGIN
    WHILE current IS NOT NULL LOOP
        SELECT s.name, s.parent INTO found_name, current FROM sites s WHERE s.id = current;
        path := found_name || '/' || path;
    END LOOP;
    RETURN path;
END
$$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION site_path(bigint);
DROP VIEW latest_wal;
DROP TABLE wal_samples;
