CREATE TABLE pick_wave (
    id          serial PRIMARY KEY,
    site_id     integer NOT NULL REFERENCES site (id),
    released_at timestamptz,
    state       varchar(12) NOT NULL DEFAULT 'planned'
);

CREATE TABLE pick_line (
    id          bigserial PRIMARY KEY,
    wave_id     integer NOT NULL REFERENCES pick_wave (id),
    bin_id      integer NOT NULL REFERENCES bin (id),
    article_id  integer NOT NULL REFERENCES article (id),
    quantity    integer NOT NULL,
    picked_at   timestamptz
);

-- The handhelds fetch a wave page by page, so they get a portal instead of rows.
CREATE FUNCTION open_wave(wave integer) RETURNS refcursor LANGUAGE plpgsql AS $$
DECLARE
    pick_cur CURSOR (w integer) FOR
        SELECT l.id, b.code, l.quantity
          FROM pick_line l JOIN bin b ON b.id = l.bin_id
         WHERE l.wave_id = w AND l.picked_at IS NULL
         ORDER BY b.code;
BEGIN
    OPEN pick_cur(wave);
    RETURN pick_cur;
END
$$;

CREATE FUNCTION open_zone_stock(zone integer) RETURNS refcursor LANGUAGE plpgsql AS $$
DECLARE
    stock refcursor := 'zone_stock';
BEGIN
    OPEN stock FOR
        SELECT b.code, s.article_id, s.quantity
          FROM stock_level s JOIN bin b ON b.id = s.bin_id
         WHERE b.zone_id = zone;
    RETURN stock;
END
$$;

-- All lines of one wave in one go, in the order in which they were added.
CREATE AGGREGATE line_ids(bigint) (
    SFUNC = pg_catalog.array_append,
    STYPE = bigint[],
    INITCOND = '{}'
);

CREATE AGGREGATE array_accum(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);
