select
    d::date as day,
    etl.season_of(d::date) as season,
    extract(year from d)::int as crop_year,
    date_part('isodow', d) > 5 as is_weekend
from generate_series(timestamp '2023-01-01', timestamp '2023-01-31', interval '1 day') as d
