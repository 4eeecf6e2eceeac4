{{ config(materialized='table') }}

select
    id,
    score % 2 as parity,
    abs(score) as distance,
    score !  as combinations,
    !!score::bigint as arrangements,
    factorial(score) as orders,
    not (score = 0) as has_score
from {{ ref('stg_scores') }}
