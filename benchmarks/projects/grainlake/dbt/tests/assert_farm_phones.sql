select farm_id
from {{ ref('stg_farms') }}
where phone_digits ~ '\D' or fax_digits ~ '[^0-9]'
