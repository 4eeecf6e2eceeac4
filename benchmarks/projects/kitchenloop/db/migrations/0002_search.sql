-- keys that ignore accents

CREATE FUNCTION strip_marks(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT translate(value, 'áàâäéèêëíîóôöúüñç', 'aaaaeeeeiiooouunc')
$$;

CREATE FUNCTION dish_key(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN lower(strip_marks(name));
END;
$$;

CREATE FUNCTION city_key(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN lower(public.strip_marks(name));
END;
$$;

CREATE FUNCTION street_key(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE SET search_path = public, pg_temp AS $$
BEGIN
    RETURN replace(lower(strip_marks(name)), '.', '');
END;
$$;

CREATE FUNCTION slug_of(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    -- Café Brûlot: cafe-brulot
    RETURN regexp_replace(lower(strip_marks(name)), '[^a-z0-9]+', '-', 'g');
END;
$$;

CREATE FUNCTION phone_key(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN right(regexp_replace(value, '[^0-9]', '', 'g'), 9);
END;
$$;

CREATE INDEX dishes_key_idx ON dishes (dish_key(name));
CREATE INDEX addresses_city_idx ON addresses (city_key(city));
CREATE INDEX addresses_street_idx ON addresses (street_key(street));
CREATE INDEX customers_phone_idx ON customers (phone_key(phone));

CREATE FUNCTION restaurants_slug() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.slug := coalesce(NEW.slug, slug_of(NEW.name));
    RETURN NEW;
END;
$$;
CREATE TRIGGER restaurants_slug BEFORE INSERT ON restaurants FOR EACH ROW EXECUTE FUNCTION restaurants_slug();

CREATE FUNCTION dishes_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- the menus are in english, whatever the restaurant's lang says
    NEW.search := to_tsvector('english', NEW.name || ' ' || NEW.description);
    RETURN NEW;
END;
$$;
CREATE TRIGGER dishes_search BEFORE INSERT OR UPDATE OF name, description ON dishes FOR EACH ROW EXECUTE FUNCTION dishes_search();
CREATE INDEX dishes_search_idx ON dishes USING gin (search);
