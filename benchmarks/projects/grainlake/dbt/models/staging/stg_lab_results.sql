select
    sample_id,
    delivery_id,
    (payload ->> 'moisture')::numeric as moisture,
    (payload ->> 'protein')::numeric as protein,
    payload ->> 'comment' as comment,
    taken_at
from {{ source('raw', 'lab_results') }}
