with deliveries as (

    select * from {{ ref('stg_deliveries') }}

)

select
    site_id,
    crop,
    delivered_on as day,
    count(*) as deliveries,
    etl.tonnes(net_kg) as net_kg,
    min(array_sort(grades, 'desc')) as best_grades
from deliveries
group by site_id, crop, delivered_on
