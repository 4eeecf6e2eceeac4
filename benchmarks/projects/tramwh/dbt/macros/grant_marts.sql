{% macro grant_marts() %}
    {% set relations %}
        select n.nspname, c.relname,
               case when c.relispartition then 'partition'::text else c.relkind end as kind
          from pg_catalog.pg_class c
          join pg_catalog.pg_namespace n on n.oid = c.relnamespace
         where n.nspname in ('{{ target.schema }}_marts', 'dwh')
           and c.relkind in ('r', 'v', 'm', 'p')
    {% endset %}
    {% if execute %}
        {% for row in run_query(relations) if row['kind'] != 'partition' %}
            grant select on {{ row['nspname'] }}.{{ row['relname'] }} to analysts;
        {% endfor %}
    {% endif %}
{% endmacro %}
