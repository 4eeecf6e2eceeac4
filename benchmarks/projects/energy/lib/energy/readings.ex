defmodule Energy.Readings do
  @moduledoc "Queries on the partitioned readings."
  import Ecto.Query

  alias Energy.Repo
  alias Energy.Readings.Reading

  @columns "r.meter_id, r.taken_at, r.kwh"

  def plausible(meter_id, from, to) do
    sql =
      "SELECT " <>
        @columns <>
        " FROM metering.meter_readings r" <>
        " WHERE r.quality < 2AND r.kwh >= 0" <>
        " AND r.meter_id = $1 AND r.taken_at >= $2 AND r.taken_at < $3"

    Repo.query!(sql, [meter_id, from, to])
  end

  def two_phase(site_id) do
    Repo.query!(
      "SELECT id, serial FROM metering.meters WHERE phase_1and2 AND state = 1 AND site_id = $1",
      [site_id]
    )
  end

  def monthly(meter_id) do
    Repo.query!(
      """
      SELECT extract(year FROM taken_at)::int AS year,
             extract(month FROM taken_at)::int AS month,
             sum(kwh)
        FROM metering.meter_readings
       WHERE meter_id = $1
       GROUP BY 1, 2
       ORDER BY 1, 2
      """,
      [meter_id]
    )
  end

  def peak_usage(meter_id, day) do
    Repo.query!(
      """
      SELECT coalesce(sum(kwh), 0)
        FROM metering.meter_readings
       WHERE meter_id = $1
         AND taken_at >= metering.peak_start($2)
         AND taken_at < metering.peak_end($2)
      """,
      [meter_id, day]
    )
  end

  def registers_of_site(site_id) do
    Repo.query!("SELECT metering.registers_agg(registers) FROM metering.meters WHERE site_id = $1", [
      site_id
    ])
  end

  def latest(meter_id) do
    Reading
    |> where([r], r.meter_id == ^meter_id)
    |> order_by([r], desc: r.taken_at)
    |> limit(1)
    |> Repo.one()
  end
end
