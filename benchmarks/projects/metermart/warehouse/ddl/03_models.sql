-- Empty tables of the dbt models, so that each model can be developed alone.

CREATE TABLE public.stg_head_end (
    message_id   bigint PRIMARY KEY,
    meter_id     integer,
    batch        text,
    kwh          numeric,
    quality      smallint,
    received_at  timestamptz
);

CREATE TABLE public.stg_readings (
    meter_id     integer NOT NULL,
    read_at      timestamptz NOT NULL,
    kwh          numeric NOT NULL,
    band         text NOT NULL,
    quality      smallint NOT NULL
);
CREATE INDEX stg_readings_meter_idx ON public.stg_readings (meter_id, read_at);

CREATE TABLE public.int_contract_periods (
    contract_id  integer PRIMARY KEY,
    premise_id   integer NOT NULL,
    tariff_id    integer NOT NULL,
    starts_at    timestamptz NOT NULL,
    ends_at      timestamptz
);

CREATE TABLE public.fct_daily_usage (
    meter_id     integer NOT NULL,
    day          date NOT NULL,
    kwh          numeric NOT NULL,
    peak_kwh     numeric NOT NULL DEFAULT 0,
    PRIMARY KEY (meter_id, day)
);

CREATE TABLE public.dim_meter (
    meter_id     integer PRIMARY KEY,
    serial       text NOT NULL,
    feeder       text,
    segment      text
);

-- Bills of the current month, refreshed by the DAG "marts".
CREATE MATERIALIZED VIEW public.month_cost AS
SELECT c.contract_id, date_trunc('month', r.read_at, 'Asia/Kolkata')::date AS month,
       sum(r.kwh) AS kwh,
       sum(usage_cost(r.kwh, c.tariff_id, r.read_at)) AS cost
  FROM raw.contracts c
  JOIN raw.meters m USING (premise_id)
  JOIN raw.readings r USING (meter_id)
 GROUP BY 1, 2
WITH NO DATA;

CREATE MATERIALIZED VIEW public.feeder_carbon AS
SELECT feeder_region(p.feeder) AS region, sum(carbon(r.kwh, r.read_at)) AS kg
  FROM raw.premises p
  JOIN raw.meters m USING (premise_id)
  JOIN raw.readings r USING (meter_id)
 GROUP BY 1
WITH NO DATA;

CREATE VIEW public.meter_peaks AS
SELECT m.meter_id, m.serial, peak_share(m.meter_id, date '2024-03-01') AS march_share
  FROM raw.meters m;

CREATE TABLE ops.vacuum_samples (
    taken_at        timestamptz NOT NULL,
    relation        text NOT NULL,
    num_dead_tuples bigint,
    max_dead_tuples bigint,
    PRIMARY KEY (taken_at, relation)
);

CREATE TABLE ops.checkpoint_samples (
    taken_at          timestamptz PRIMARY KEY,
    checkpoints_timed bigint NOT NULL,
    checkpoints_req   bigint NOT NULL
);

COMMENT ON TABLE raw.readings IS 'Readings by meter and half hour';
COMMENT ON TABLE raw.head_end_messages IS 'Messages of the head end, unparsed';
COMMENT ON MATERIALIZED VIEW public.month_cost IS 'Costs by contract and month';
