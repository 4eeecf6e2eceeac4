{% macro lock_down() %}
  {% set sql %}
    revoke create on schema public from public;
    grant select on all tables in schema raw to reporter;
  {% endset %}
  {% do run_query(sql) %}
{% endmacro %}
