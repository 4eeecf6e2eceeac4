{{ config(materialized='table') }}

select
    f.parameter_code,
    count(*) as results,
    round(avg(f.value), 3) as mean,
    percentile_cont(0.5) within group (order by f.value) as median
from {{ ref('stg_lab_results') }} f
group by f.parameter_code
