CREATE TABLE parcel (id bigint PRIMARY KEY, code text, weight numeric, sent timestamptz, due date, lasts interval, place point, area polygon, merge_action text, tags text[]);
CREATE TABLE parcel_label (id bigint, label text);
CREATE ROLE courier;
CREATE FUNCTION lookup(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN (SELECT label FROM parcel_label LIMIT 1); END $$;
INSERT INTO parcel VALUES (1, 'a', 1, now(), current_date, '1 day', '(0,0)', NULL, NULL, NULL);
