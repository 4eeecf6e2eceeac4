--liquibase formatted sql

--changeset ops:6
CREATE INDEX parcel_lookup ON parcel (lookup(code));
--rollback DROP INDEX parcel_lookup;

--changeset ops:7
CREATE INDEX parcel_upper ON parcel (upper(code));

--changeset ops:8
CREATE VIEW parcels_in AS SELECT id FROM parcel WHERE place @ area;

--changeset ops:9
CREATE VIEW parcels_inside AS SELECT id FROM parcel WHERE place <@ area;

--changeset ops:10
ALTER ROLE courier SET vacuum_cleanup_index_scale_factor = 0.3;

--changeset ops:11
ALTER ROLE courier SET vacuum_cost_page_hit = 2;

--changeset ops:12
ALTER ROLE courier SET "courier-app.zone" = 'north';

--changeset ops:13
ALTER ROLE courier SET courier_app.zone = 'north';

--changeset ops:14
CREATE TABLE parcel_hour (id bigint, system_user text);

--changeset ops:15
CREATE TABLE parcel_day (id bigint, "system_user" text);

--changeset ops:16
SELECT array_to_tsvector(ARRAY['', 'x']);

--changeset ops:17
SELECT array_to_tsvector(ARRAY['x']);

--changeset ops:18
ALTER TABLE parcel ADD CHECK (lasts > interval '1 day ago 1 hour');

--changeset ops:19
ALTER TABLE parcel ADD CHECK (code <> '1 day ago 1 hour');

--changeset ops:20
CREATE LANGUAGE 'plperl';

--changeset ops:21
DROP FUNCTION IF EXISTS plperl_validator_of_ours(oid);
