defmodule Postroute.Scans do
  @moduledoc "Bulk intake of the hubs' scan files."
  require Logger
  alias Ecto.Adapters.SQL
  alias Postroute.Repo

  @columns "id, parcel_id, hub_id, device, note, scanned_at"

  # Rows for the archive are loaded by archive/1, which skips the triggers.
  @copy "COPY scan_events (#{@columns}) FROM STDIN WITH (FORMAT csv) " <>
          "WHERE tableoid <> 'scan_events_archive'::regclass"

  @copy_archive """
  COPY scan_events_archive (id, parcel_id, hub_id, device, note, scanned_at)
    FROM STDIN WITH (FORMAT csv)
   WHERE hub_id IS NOT NULL AND device <> 'ctid'
  """

  def load(rows), do: copy(rows, @copy)
  def archive(rows), do: copy(rows, @copy_archive)

  defp copy(rows, statement) do
    Repo.transaction(
      fn ->
        Enum.into(rows, SQL.stream(Repo, statement))
        Logger.info("scan file loaded, SELECT pg_start_backup('scans') is next")
      end,
      timeout: :infinity
    )
  end

  @doc "Notes come from the handhelds with Windows line ends."
  def clean_notes do
    Repo.query!("UPDATE scan_events_archive SET note = replace(note, E'\\r\\n', E'\\n') WHERE note LIKE '%' || chr(13) || '%'")
  end

  def scanner_journal(hub_id) do
    Repo.query!(
      "SELECT s.serial, s.wal_write, s.wal_sync FROM scanners s WHERE s.hub_id = $1",
      [hub_id]
    )
  end
end
