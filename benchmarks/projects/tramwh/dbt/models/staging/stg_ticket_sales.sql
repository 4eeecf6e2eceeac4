select
    sale_id,
    sold_on,
    sold_at,
    coalesce(machine_no, 0)        as machine_no,
    product,
    price_cents / 100.0            as price,
    s."system_user"                as cashier
from {{ source('raw', 'ticket_sale') }} s
where not voided
