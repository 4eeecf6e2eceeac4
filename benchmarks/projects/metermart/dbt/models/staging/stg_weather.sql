{{ config(materialized='view') }}

SELECT
    w.station,
    timestamptz 'epoch' + w.epoch_s * interval '1 second' AS observed_at,
    w.temperature
FROM {{ source('raw', 'weather_hourly') }} w
ORDER BY w.station, w.epoch_s
