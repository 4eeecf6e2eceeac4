\set parcel random(1, 5)
SELECT id, status FROM parcels WHERE id = :parcel;
SELECT count(*) FROM scan_events WHERE parcel_id = :parcel;
