-- Functions that the old BigQuery models call; they came with the models.

-- The day a period ends; payments fall due on working days only.
CREATE FUNCTION public.date_add(base timestamptz, step interval) RETURNS date
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    due date := (base + step)::date;
BEGIN
    WHILE extract(isodow FROM due) > 5 LOOP
        due := due + 1;
    END LOOP;
    RETURN due;
END
$$;

CREATE FUNCTION public.date_add(base date, days integer) RETURNS date
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT base + days $$;

CREATE FUNCTION util.array_sort(anyarray) RETURNS anyarray
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT array_agg(e ORDER BY e DESC) FROM unnest($1) AS e $$;

CREATE FUNCTION public.band_of(at timestamptz) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT CASE WHEN extract(hour FROM at AT TIME ZONE 'Asia/Kolkata') BETWEEN 18 AND 21 THEN 'peak' ELSE 'base' END $$;

-- The rate of a tariff on a day.
CREATE FUNCTION public.rate_on(tariff integer, rate_band text, day date) RETURNS numeric
    LANGUAGE sql STABLE
    AS $$
    SELECT r.rate
      FROM raw.tariff_rates r
     WHERE r.tariff_id = tariff AND r.band = rate_band AND r.valid_from <= day
     ORDER BY r.valid_from DESC
     LIMIT 1
$$;

CREATE FUNCTION public.usage_cost(kwh numeric, tariff integer, at timestamptz) RETURNS numeric
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN round(kwh * rate_on(tariff, band_of(at), at::date), 4);
END
$$;

CREATE FUNCTION public.carbon(kwh numeric, at timestamptz) RETURNS numeric
    LANGUAGE plpgsql STABLE
    SET search_path = public
    AS $$
BEGIN
    RETURN kwh * CASE band_of(at) WHEN 'peak' THEN 0.82 ELSE 0.64 END;
END
$$;

CREATE FUNCTION public.feeder_region(feeder text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
    RETURN upper(split_part(feeder, '-', 1));
END
$$;

CREATE FUNCTION public.peak_share(meter integer, month date) RETURNS numeric
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT round(100 * coalesce(sum(r.kwh) FILTER (WHERE band_of(r.read_at) = 'peak'), 0) / nullif(sum(r.kwh), 0), 1)
              FROM raw.readings r
             WHERE r.meter_id = meter AND r.read_at >= month AND r.read_at < month + interval '1 month');
END
$$;

CREATE FUNCTION raw.touch_batch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW.file_name := btrim(NEW.file_name);
    RETURN NEW;
END
$$;

CREATE TRIGGER load_batches_touch BEFORE INSERT OR UPDATE ON raw.load_batches
    FOR EACH ROW EXECUTE FUNCTION raw.touch_batch();
