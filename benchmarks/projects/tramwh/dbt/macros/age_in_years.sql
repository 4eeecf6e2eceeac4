{% macro age_in_years(column) %}
    date_part('year', age(current_date, {{ column }}))::int
{% endmacro %}
