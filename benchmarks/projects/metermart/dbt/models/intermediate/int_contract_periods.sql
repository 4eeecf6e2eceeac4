{{ config(materialized='table') }}

-- date_add of the old warehouse: the end is a working day
SELECT
    c.contract_id,
    c.premise_id,
    c.tariff_id,
    c.started_at AS starts_at,
    date_add(c.started_at, c.term) AS first_due,
    public.date_add(c.started_at, interval '1 month') AS first_bill,
    date_add(c.started_at::date, 14) AS cooling_off,
    c.ended_at AS ends_at
FROM {{ source('raw', 'contracts') }} c
ORDER BY c.contract_id
