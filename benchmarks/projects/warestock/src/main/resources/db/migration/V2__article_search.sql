-- SKUs are compared without blanks, dashes and case.
CREATE FUNCTION public.normalize(code text) RETURNS text
    LANGUAGE sql IMMUTABLE AS
$$ SELECT upper(regexp_replace(code, '[\s-]', '', 'g')) $$;

UPDATE article SET sku_key = upper(regexp_replace(sku, '[\s-]', '', 'g'));

CREATE INDEX ix_article_sku_key ON article (sku_key);
CREATE INDEX ix_article_title ON article USING gin (to_tsvector('simple', title));

-- Search box: both spellings, the longer one came with the mobile client.
CREATE FUNCTION find_article(needle text) RETURNS SETOF article
    LANGUAGE sql STABLE AS
$$ SELECT * FROM article WHERE title ILIKE '%' || needle || '%' OR sku = needle $$;

CREATE FUNCTION find_article(needle text, max_rows integer) RETURNS SETOF article
    LANGUAGE sql STABLE AS
$$ SELECT * FROM article WHERE title ILIKE '%' || needle || '%' ORDER BY sku LIMIT max_rows $$;

CREATE FUNCTION article_weight(article_id integer, pieces integer) RETURNS numeric
    LANGUAGE sql STABLE AS
$$ SELECT weight_g * pieces FROM article WHERE id = article_id $$;
