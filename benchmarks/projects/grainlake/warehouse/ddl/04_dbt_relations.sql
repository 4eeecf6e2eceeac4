-- what dbt has built (pg_dump --schema-only -n public, tidied)
CREATE TABLE public.stg_deliveries (
    delivery_id bigint, site_id integer, farm_id integer, crop text, grades integer[], net_kg integer,
    minutes_on_site double precision, arrived_at timestamptz, delivered_on date, ticket_crc bigint
);
CREATE TABLE public.stg_farms (farm_id integer, farm_name text, phone_digits text, fax_digits text);
CREATE TABLE public.stg_sites (site_id integer, site_name text, location point, region_code text, dryer boolean);
CREATE TABLE public.stg_silo_readings (silo_id integer, read_at timestamptz, temperature numeric, moisture numeric);
CREATE TABLE public.stg_lab_results (sample_id bigint, delivery_id bigint, moisture numeric, protein numeric, comment text, taken_at timestamptz);
CREATE TABLE public.dim_dates (day date, season text, crop_year integer, is_weekend boolean);
CREATE TABLE public.fct_intake (site_id integer, crop text, day date, deliveries bigint, net_kg numeric, best_grades integer[]);
CREATE TABLE public.fct_silo_hours (silo_id integer, hour_of_day double precision, temperature numeric, moisture numeric);

GRANT SELECT ON ALL TABLES IN SCHEMA public TO PUBLIC;
GRANT SELECT, REFERENCES ON etl.rule TO PUBLIC;
