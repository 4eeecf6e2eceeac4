CREATE INDEX place_search   ON geo.place USING gin (search);
CREATE INDEX place_tags     ON geo.place USING gin (tags);
CREATE INDEX place_position ON geo.place USING gist (position);

-- extents of regions, as in the first version of the map
CREATE INDEX region_extent  ON geo.region USING gist (extent bigbox_ops);
CREATE INDEX region_extent2 ON geo.region USING spgist (extent box_ops);
CREATE INDEX place_created  ON geo.place (created_at timestamptz_ops);
CREATE INDEX survey_day     ON geo.survey (surveyed_on, place_id);

CREATE FUNCTION geo.fold(word text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT lower(btrim(word))
$$;

CREATE FUNCTION geo.first_tag(tags text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT geo.fold(tags[1])
$$;

CREATE INDEX place_first_tag ON geo.place (geo.first_tag(tags));
