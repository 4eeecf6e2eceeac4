{{ config(materialized='table') }}

SELECT
    t.tariff_id,
    t.code,
    (t.term_years || ' years')::interval AS term,
    round(t.term_years * 12)::int * interval '1 month' AS whole_months,
    t.term_years * interval '1 year' AS exact_term,
    interval '0.5 years' AS half_term,
    make_interval(years => t.term_years::int) AS full_years,
    t.notice
FROM {{ source('raw', 'tariffs') }} t
ORDER BY t.tariff_id
