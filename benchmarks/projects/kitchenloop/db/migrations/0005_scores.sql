CREATE FUNCTION array_sort(anyarray) RETURNS anyarray LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(array_agg(DISTINCT e ORDER BY e), '{}') FROM unnest($1) e WHERE e IS NOT NULL
$$;

CREATE FUNCTION array_sort_by_length(text[]) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg(e ORDER BY length(e), e) FROM unnest($1) e
$$;

CREATE FUNCTION half_stars(numeric) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
    SELECT round($1 * 2) / 2
$$;

CREATE FUNCTION score(stars numeric, votes bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN public.half_stars((stars * votes + 3 * 2) / (votes + 2));
END;
$$;

CREATE MATERIALIZED VIEW restaurant_scores AS
SELECT r.id, r.name, count(t.order_id) AS votes, score(avg(t.stars), count(t.order_id)) AS score
  FROM restaurants r
  JOIN orders o ON o.restaurant_id = r.id
  JOIN ratings t ON t.order_id = o.id
 GROUP BY r.id, r.name;
CREATE UNIQUE INDEX restaurant_scores_key ON restaurant_scores (id);

CREATE VIEW allergen_list AS
SELECT d.id, d.name, public.array_sort(d.allergens) AS allergens
  FROM dishes d
  JOIN menu_sections s ON s.id = d.section_id
 WHERE d.active;

CREATE TABLE loyalty (
    customer_id integer PRIMARY KEY REFERENCES customers,
    points integer NOT NULL DEFAULT 0,
    since date NOT NULL,
    lasts interval NOT NULL DEFAULT '1.5 years'
);

CREATE FUNCTION award_points() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE loyalty SET points = points + floor(NEW.amount)::integer
     WHERE customer_id = (SELECT o.customer_id FROM orders o WHERE o.id = NEW.order_id);
    RETURN NULL;
END;
$$;
CREATE TRIGGER award_points AFTER INSERT ON payments FOR EACH ROW EXECUTE FUNCTION award_points();
