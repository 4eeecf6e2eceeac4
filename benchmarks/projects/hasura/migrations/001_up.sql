CREATE EXTENSION IF NOT EXISTS hstore;
CREATE EXTENSION IF NOT EXISTS ltree;
CREATE EXTENSION IF NOT EXISTS intarray;
CREATE SCHEMA shop;
CREATE TABLE shop.items (
    id serial PRIMARY KEY,
    path ltree NOT NULL,
    attrs hstore NOT NULL DEFAULT ''::hstore,
    nums integer[] NOT NULL DEFAULT '{}',
    place point,
    note text COLLATE "C",
    code "char"
);
CREATE INDEX items_nums ON shop.items USING gist (nums gist__int_ops);
CREATE INDEX items_nums_gin ON shop.items USING gin (nums gin__int_ops);
CREATE INDEX items_attrs ON shop.items USING gin (attrs);
CREATE FUNCTION shop.with_attr(k text) RETURNS SETOF shop.items LANGUAGE sql STABLE AS $$
    SELECT * FROM shop.items WHERE attrs @ hstore(k, '1')
$$;
CREATE FUNCTION shop.with_attrs(k text) RETURNS SETOF shop.items LANGUAGE sql STABLE AS $$
    SELECT * FROM shop.items WHERE attrs @> hstore(k, '1')
$$;
CREATE FUNCTION shop.near(p point) RETURNS SETOF shop.items LANGUAGE sql STABLE AS $$
    SELECT * FROM shop.items WHERE circle(p, 3) @ circle(place, 10) OR place ~= p
$$;
CREATE FUNCTION shop.nearest(p point) RETURNS SETOF shop.items LANGUAGE sql STABLE AS $$
    SELECT * FROM shop.items ORDER BY place <-> p LIMIT 3
$$;
CREATE VIEW shop.few AS SELECT id FROM shop.items WHERE nums <@ '{1,2,3}'::int[];
CREATE VIEW shop.many AS SELECT id FROM shop.items WHERE nums @> '{1}'::int[];
