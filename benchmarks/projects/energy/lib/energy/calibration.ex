defmodule Energy.Calibration do
  @moduledoc "When a meter is due, by the legal periods of its class."

  alias Energy.Repo

  # class => period
  @periods %{
    residential: "interval '8 years'",
    industrial: "interval '2.5 years'",
    transformer: "interval '2.3 years'"
  }

  def due(class, site_id) do
    period = Map.fetch!(@periods, class)

    Repo.query!(
      "SELECT id, serial, calibrated_at + #{period} AS due_at FROM metering.meters " <>
        "WHERE site_id = $1 AND calibrated_at + #{period} < now() ORDER BY due_at",
      [site_id]
    )
  end

  # Transformers get a letter before they are due.
  def letters do
    Repo.query!("""
    SELECT id, serial
      FROM metering.meters
     WHERE state = 1
       AND installed_on > date '2010-01-01'
       AND calibrated_at < now() + interval '27 months ago'
    """)
  end
end
