{{ config(materialized='incremental', unique_key='delivery_id') }}

with source as (

    select * from {{ source('raw', 'deliveries') }}
    {% if is_incremental() %}
    where arrived_at > (select max(arrived_at) from {{ this }})
    {% endif %}

),

renamed as (

    select
        delivery_id,
        site_id,
        farm_id,
        lower(crop) as crop,
        array_sort(grade_codes) as grades,
        net_kg,
        extract(epoch from left_at - arrived_at) / 60 as minutes_on_site,
        arrived_at,
        delivered_on,
        crc32(delivery_id::text) as ticket_crc
    from source

)

select * from renamed
