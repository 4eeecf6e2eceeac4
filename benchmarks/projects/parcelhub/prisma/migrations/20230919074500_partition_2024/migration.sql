CREATE TABLE "scan_events_2024" PARTITION OF "scan_events" FOR VALUES FROM ('2024-01-01 00:00:00+00') TO ('2025-01-01 00:00:00+00');
CREATE TABLE "scan_events_rest" PARTITION OF "scan_events" DEFAULT;

-- 2022 is closed: no further scans are expected, the sorter only reads it
CREATE FUNCTION scan_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'scans of % are closed', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER scan_events_guard BEFORE INSERT ON scan_events_2022 FOR EACH ROW EXECUTE FUNCTION scan_closed();

-- Names with the year, as the operators see them in messages
ALTER TRIGGER scan_events_guard ON scan_events_2022 RENAME TO scan_events_2022_closed;
ALTER TRIGGER scan_events_status ON scan_events_2023 RENAME TO scan_events_2023_status;
ALTER TRIGGER parcels_weight ON parcels RENAME TO parcels_max_weight;
ALTER INDEX scan_events_2023_parcel_id_idx RENAME TO scan_events_2023_by_parcel;
ALTER TABLE scan_events_2023 RENAME CONSTRAINT scan_events_2023_pkey TO scan_events_2023_pk;
