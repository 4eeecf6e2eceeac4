SET default_with_oids = true;
CREATE TABLE page (
    id serial PRIMARY KEY,
    slug text NOT NULL,
    words tsvector,
    created abstime DEFAULT now(),
    edited timestamp with time zone DEFAULT now()
) WITH (fillfactor = 90);
CREATE TABLE visit (page_id int, at timestamptz, n float4) WITH OIDS;
CREATE OR REPLACE FUNCTION page_words() RETURNS trigger AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.words := to_tsvector('simple', NEW.slug);
    ELSIF NEW.slug <> OLD.slug THEN
        NEW.words := to_tsvector('simple', NEW.slug);
    END IF;
    RETURN NEW;
END $$ LANGUAGE 'plpgsql';
CREATE TRIGGER page_words BEFORE INSERT OR UPDATE ON page FOR EACH ROW EXECUTE PROCEDURE page_words();
