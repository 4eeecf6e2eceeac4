select
    farm_id,
    trim(name) as farm_name,
    -- one number per line in the CRM; digits only, so that they can be joined to the call log
    regexp_replace(phones, '\D', '', 'gn') as phone_digits,
    regexp_replace(fax, '\D', '', 'g') as fax_digits
from {{ source('raw', 'farms') }}
where crm_ref !~ '^TEST'
