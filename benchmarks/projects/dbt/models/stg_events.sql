{{ config(materialized='view') }}

with source as (
    select * from {{ source('raw', 'events') }}
)
select
    id,
    extract(epoch from occurred_at) as occurred_epoch,
    extract(epoch from occurred_at)::double precision as occurred_seconds,
    date_part('epoch', occurred_at) as occurred_part,
    array_append(tags, 'loaded') as tags
from source
where kind <> all (array['test', 'demo'])
