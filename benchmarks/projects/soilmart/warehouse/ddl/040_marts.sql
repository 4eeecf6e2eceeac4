-- Tables that dbt builds (materialized = table or incremental), as of the last release,
-- and what is not in dbt's hands.
CREATE TABLE public.stg_lab_results (
    result_id bigint,
    sample_no text,
    parameter_code text,
    value numeric,
    unit text
);

CREATE TABLE public.stg_logger_readings (
    message_id bigint,
    station_code text,
    parameter_code text,
    depth_cm integer,
    measured_at timestamptz,
    value numeric
);

CREATE TABLE public.dim_station (
    station_code text,
    name text,
    country text,
    timezone text,
    depths_cm integer[],
    installed_on date
);

CREATE TABLE public.fct_residues (
    application_id integer,
    station_code text,
    substance_code text,
    as_of date,
    remaining_g_ha numeric
);

CREATE FUNCTION public.short_unit(unit text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT CASE unit WHEN 'milligram per kilogram' THEN 'mg/kg' WHEN 'percent' THEN '%' ELSE unit END
$$;

CREATE FUNCTION public.parameter_title(label text, unit text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
    title text;
BEGIN
    title := label || ' [' || short_unit(unit) || ']';
    RETURN initcap(left(title, 1)) || substr(title, 2);
END
$$;

CREATE FUNCTION public.parameter_key(code text, unit text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
    RETURN lower(code) || ':' || public.short_unit(unit);
END
$$;

CREATE FUNCTION public.method_title(method text, unit text) RETURNS text LANGUAGE plpgsql IMMUTABLE SET search_path = public AS $$
BEGIN
    RETURN coalesce(method, 'unknown') || ' in ' || short_unit(unit);
END
$$;

-- For the legend of the web map, not stored
CREATE FUNCTION public.legend_line(label text, unit text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN label || ': ' || short_unit(unit);
END
$$;

CREATE MATERIALIZED VIEW public.parameter_titles AS
 SELECT p.code, public.parameter_title(p.label, p.unit) AS title
   FROM core.parameters p;

CREATE MATERIALIZED VIEW public.parameter_keys AS
 SELECT public.parameter_key(p.code, p.unit) AS key, public.method_title(p.method, p.unit) AS method
   FROM core.parameters p;

CREATE VIEW public.legend AS
 SELECT p.code, public.legend_line(p.label, p.unit) AS line
   FROM core.parameters p;

CREATE VIEW public.device_lamps AS
 SELECT d.serial_no, public.to_bin(d.status_flags) AS lamps, d.power AS power_mw
   FROM core.devices d;

CREATE VIEW public.monthly_means AS
 SELECT m.station_code,
        m.parameter_code,
        date_trunc('month', m.measured_at, 'UTC') AS month,
        avg(m.value) AS mean,
        count(*) AS readings
   FROM core.measurements m
  GROUP BY m.station_code, m.parameter_code, date_trunc('month', m.measured_at, 'UTC');
