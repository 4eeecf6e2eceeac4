with lab as (

    select
        l.delivery_id,
        l.moisture,
        l.protein,
        row_number() over (partition by l.delivery_id order by l.taken_at desc) as latest
    from {{ ref('stg_lab_results') }} l
    where to_tsvector('simple', coalesce(l.comment, '')) @@ websearch_to_tsquery('simple', 'chaff or clean')

)

select
    d.delivery_id,
    d.crop,
    lab.moisture,
    lab.protein,
    to_char(d.arrived_at at time zone 'UTC', 'IYYY-IW') as week
from {{ ref('stg_deliveries') }} d
join lab on lab.delivery_id = d.delivery_id and lab.latest = 1
