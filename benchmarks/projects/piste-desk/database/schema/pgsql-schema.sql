-- Schema of piste-desk up to the season 2022/23. Later changes are in database/migrations.
-- Loaded by "php artisan migrate" into an empty database.

SET client_encoding = 'UTF8';
SET check_function_bodies = true;

CREATE EXTENSION IF NOT EXISTS pg_stat_statements;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE public.migrations (
    id serial PRIMARY KEY,
    migration varchar(255) NOT NULL,
    batch integer NOT NULL
);

CREATE TABLE public.lifts (
    id bigserial PRIMARY KEY,
    code varchar(12) NOT NULL UNIQUE,
    name varchar(120) NOT NULL,
    kind varchar(30) NOT NULL DEFAULT 'chairlift',
    capacity_per_hour integer NOT NULL,
    valley_station point,
    top_station point,
    features jsonb NOT NULL DEFAULT '{}',
    tags text[] NOT NULL DEFAULT '{}',
    created_at timestamp(0),
    updated_at timestamp(0)
);

CREATE TABLE public.slopes (
    id bigserial PRIMARY KEY,
    lift_id bigint NOT NULL REFERENCES public.lifts (id),
    name varchar(120) NOT NULL,
    difficulty varchar(10) NOT NULL CHECK (difficulty IN ('blue', 'red', 'black', 'freeride')),
    length_m integer NOT NULL,
    is_open boolean NOT NULL DEFAULT false,
    groomed_at timestamptz
);

CREATE TABLE public.guests (
    id bigserial PRIMARY KEY,
    first_name varchar(80) NOT NULL,
    last_name varchar(80) NOT NULL,
    email varchar(200) UNIQUE,
    born date,
    preferences jsonb NOT NULL DEFAULT '{}'
);

CREATE TABLE public.products (
    id bigserial PRIMARY KEY,
    name varchar(120) NOT NULL,
    days integer NOT NULL,
    price_cents integer NOT NULL,
    options jsonb NOT NULL DEFAULT '{}'
);

CREATE TABLE public.passes (
    id bigserial PRIMARY KEY,
    guest_id bigint NOT NULL REFERENCES public.guests (id),
    product_id bigint NOT NULL REFERENCES public.products (id),
    serial varchar(24) NOT NULL UNIQUE,
    valid_from date NOT NULL,
    valid_to date NOT NULL,
    price_cents integer NOT NULL,
    status varchar(12) NOT NULL DEFAULT 'active',
    sold_at timestamptz NOT NULL DEFAULT now(),
    CHECK (valid_to >= valid_from)
);

CREATE TABLE public.gate_scans (
    id bigserial PRIMARY KEY,
    pass_id bigint NOT NULL REFERENCES public.passes (id),
    lift_id bigint NOT NULL REFERENCES public.lifts (id),
    scanned_at timestamptz NOT NULL DEFAULT now(),
    payload jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX gate_scans_lift ON public.gate_scans (lift_id, scanned_at);

CREATE TABLE public.groomer_shifts (
    id bigserial PRIMARY KEY,
    driver varchar(80) NOT NULL,
    machine varchar(30) NOT NULL,
    started_at timestamptz NOT NULL,
    ended_at timestamptz,
    break_time interval NOT NULL DEFAULT '0'
);

CREATE TABLE public.lessons (
    id bigserial PRIMARY KEY,
    instructor varchar(80) NOT NULL,
    starts_at timestamptz NOT NULL,
    duration interval NOT NULL DEFAULT '2 hours',
    level smallint NOT NULL DEFAULT 1
);

-- timing of the club races: how many of the gates with a light barrier took a time
CREATE TABLE public.race_runs (
    id bigserial PRIMARY KEY,
    race varchar(80) NOT NULL,
    bib integer NOT NULL,
    checkpoints_timed integer NOT NULL DEFAULT 0,
    finished_in interval
);

CREATE TABLE public.avalanche_zones (
    id bigserial PRIMARY KEY,
    name varchar(80) NOT NULL,
    outline polygon NOT NULL,
    danger_level smallint NOT NULL DEFAULT 1
);

CREATE TABLE public.patrol_reports (
    id bigserial PRIMARY KEY,
    patroller varchar(80) NOT NULL,
    position point NOT NULL,
    reported_at timestamptz NOT NULL DEFAULT now(),
    body text NOT NULL DEFAULT ''
);

CREATE TABLE public.audit_events (
    id bigserial PRIMARY KEY,
    event varchar(80) NOT NULL,
    "system_user" varchar(80) NOT NULL,
    context jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE public.it_tasks (
    id bigserial PRIMARY KEY,
    title varchar(200) NOT NULL,
    body text,
    done boolean NOT NULL DEFAULT false
);

CREATE VIEW public.open_slopes AS
SELECT s.id, s.name, s.difficulty, s.length_m, l.code AS lift_code, l.name AS lift_name
  FROM public.slopes s
  JOIN public.lifts l ON l.id = s.lift_id
 WHERE s.is_open;

CREATE MATERIALIZED VIEW public.season_revenue AS
SELECT date_trunc('month', sold_at AT TIME ZONE 'Europe/Vienna') AS month,
       product_id,
       count(*) AS passes,
       sum(price_cents) AS revenue_cents
  FROM public.passes
 WHERE status <> 'cancelled'
 GROUP BY 1, 2;

-- jsonb as text, with a dash where there is nothing
CREATE FUNCTION public.json_value(doc jsonb, field text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT coalesce(doc ->> field, '-') $$;

-- minutes between the first and the last scan of each lift
CREATE FUNCTION public.lift_hours(day date) RETURNS TABLE (lift text, scans bigint, seconds double precision)
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN QUERY
    SELECT l.code::text,
           count(g.id),
           extract(epoch FROM max(g.scanned_at) - min(g.scanned_at))
      FROM public.lifts l
      JOIN public.gate_scans g ON g.lift_id = l.id
     WHERE g.scanned_at >= day AND g.scanned_at < day + 1
     GROUP BY l.code;
END $$;

CREATE FUNCTION public.daily_sales(day date) RETURNS refcursor
    LANGUAGE plpgsql
    AS $$
DECLARE
    sales_cur CURSOR FOR
        SELECT p.name, count(*) AS sold, sum(s.price_cents) AS cents
          FROM public.passes s
          JOIN public.products p ON p.id = s.product_id
         WHERE s.sold_at >= day AND s.sold_at < day + 1
         GROUP BY p.name
         ORDER BY p.name;
BEGIN
    OPEN sales_cur;
    RETURN sales_cur;
END $$;

CREATE FUNCTION public.valley_queue(day date) RETURNS refcursor
    LANGUAGE plpgsql
    AS $$
DECLARE
    queue refcursor := 'queue_cur';
BEGIN
    OPEN queue FOR
        SELECT lift_id, count(*) AS scans
          FROM public.gate_scans
         WHERE scanned_at >= day AND scanned_at < day + 1
         GROUP BY lift_id
         ORDER BY lift_id;
    RETURN queue;
END $$;

CREATE FUNCTION public.touch_slope() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.is_open AND NOT OLD.is_open AND NEW.groomed_at IS NULL THEN
        RAISE EXCEPTION 'slope % is not groomed', NEW.name;
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER slopes_touch BEFORE UPDATE ON public.slopes
    FOR EACH ROW EXECUTE FUNCTION public.touch_slope();
