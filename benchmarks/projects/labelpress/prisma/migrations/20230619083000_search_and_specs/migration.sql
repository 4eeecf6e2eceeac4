-- Reads one key of a spec, as the MySQL release of the portal had it.
CREATE OR REPLACE FUNCTION public.json_value(doc jsonb, field text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT doc ->> field $$;

-- Customers type SKUs with blanks, dashes and dots; we compare the bare characters.
CREATE OR REPLACE FUNCTION strip_sku(code text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$ SELECT regexp_replace(code, '[^A-Za-z0-9]', '', 'g') $$;

CREATE OR REPLACE FUNCTION sku_key(code text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$ SELECT upper(strip_sku(code)) $$;

CREATE INDEX "order_lines_sku_key_idx" ON "order_lines" (sku_key("sku"));

CREATE OR REPLACE FUNCTION reference_key(code text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$ SELECT lower(public.strip_sku(code)) $$;

CREATE INDEX "label_orders_reference_key_idx" ON "label_orders" (reference_key("reference"));

CREATE OR REPLACE FUNCTION die_key(code text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT
    SET search_path = public, pg_catalog
    AS $$
BEGIN
    RETURN 'D' || strip_sku(code);
END
$$;

CREATE INDEX "dies_die_key_idx" ON "dies" (die_key("code"));

CREATE OR REPLACE FUNCTION search_key(words text) RETURNS text
    LANGUAGE sql STABLE STRICT
    AS $$ SELECT lower(unaccent(words)) $$;

CREATE INDEX "order_lines_finish_idx" ON "order_lines" (public.json_value("spec", 'finish'));

-- Orders that wait for somebody, for the dashboard.
CREATE VIEW "waiting_orders" AS
SELECT o."id", o."reference", o."status", c."name" AS "customer", o."due_on",
       count(p."id") FILTER (WHERE p."answered_at" IS NULL) AS "open_proofs"
  FROM "label_orders" o
  JOIN "customers" c ON c."id" = o."customer_id"
  LEFT JOIN "order_lines" l ON l."order_id" = o."id"
  LEFT JOIN "proofs" p ON p."order_line_id" = l."id"
 WHERE o."status" IN ('accepted', 'prepress')
 GROUP BY o."id", c."name";

CREATE VIEW "order_specs" AS
SELECT l."id" AS "order_line_id", l."order_id",
       public.json_value(l."spec", 'finish') AS "finish",
       (l."spec" ->> 'core_mm')::integer AS "core_mm",
       coalesce((l."spec" ->> 'gap_mm')::numeric, 3) AS "gap_mm"
  FROM "order_lines" l;

-- The order's total follows its lines.
CREATE OR REPLACE FUNCTION order_total() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    target integer := coalesce(NEW.order_id, OLD.order_id);
BEGIN
    UPDATE label_orders o
       SET total = coalesce((SELECT round(sum(l.quantity * l.unit_price), 2)
                               FROM order_lines l WHERE l.order_id = target), 0)
     WHERE o.id = target;
    RETURN NULL;
END
$$;

CREATE TRIGGER "order_lines_total" AFTER INSERT OR UPDATE OR DELETE ON "order_lines"
    FOR EACH ROW EXECUTE FUNCTION order_total();
