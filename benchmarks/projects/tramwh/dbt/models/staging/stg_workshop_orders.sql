select
    order_no,
    vehicle_no,
    kind,
    opened_on,
    closed_on,
    labour,
    cardinality(parts)                            as part_count,
    dwh.regexp_count(remarks, 'wheel|bogie')      as wheel_mentions,
    dwh.date_add(opened_on, 5)                    as due_on
from {{ source('raw', 'workshop_order') }}
