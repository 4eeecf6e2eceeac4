defmodule Energy.Readings.Import do
  @moduledoc """
  Loads the files of the head-ends by COPY.

  Rows of the default partition come from clocks that are off, and are kept aside.
  """

  alias Energy.Repo
  require Logger

  @copy_amr """
  COPY metering.meter_readings (meter_id, taken_at, kwh, quality)
    FROM STDIN WITH (FORMAT csv, HEADER)
   WHERE kwh >= 0 AND quality < 9
  """

  @copy_manual """
  COPY metering.meter_readings (meter_id, taken_at, kwh, source)
    FROM STDIN WITH (FORMAT csv)
   WHERE tableoid <> 'metering.meter_readings_default'::regclass
  """

  def amr(lines), do: load(@copy_amr, lines)
  def manual(lines), do: load(@copy_manual, lines)

  defp load(copy, lines) do
    Repo.transaction(fn ->
      stream = Ecto.Adapters.SQL.stream(Repo, copy)
      Enum.into(lines, stream)
    end)

    Logger.info("loaded a file; ANALYZE archived_readings is left to the night")
  end
end
