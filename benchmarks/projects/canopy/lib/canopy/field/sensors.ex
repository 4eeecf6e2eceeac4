defmodule Canopy.Field.Sensors do
  @moduledoc "Soil moisture: raw readings for two days, daily means for good."

  alias Canopy.Repo

  def prepare(day), do: Repo.query!("SELECT ensure_reading_partition($1)", [day])

  def store(rows), do: Repo.insert_all("sensor_readings", rows)

  def driest(limit) do
    Repo.query!(
      """
      SELECT sensor, min(moisture) AS moisture
        FROM sensor_days
       GROUP BY sensor
       ORDER BY 2, 1
       LIMIT $1
      """,
      [limit]
    )
  end
end
