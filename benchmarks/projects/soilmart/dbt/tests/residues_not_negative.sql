select application_id, remaining_g_ha
from {{ ref('fct_residues') }}
where remaining_g_ha < 0
