defmodule DeskhiveWeb.HealthController do
  use DeskhiveWeb, :controller
  require Logger
  alias Deskhive.Repo

  def live(conn, _params), do: text(conn, "ok")

  # For the status page and the deploy script: no deploy while a base backup is being taken.
  def ready(conn, _params) do
    case Repo.query("SELECT pg_is_in_recovery(), pg_is_in_backup(), pg_postmaster_start_time()", [], timeout: 1_500) do
      {:ok, %{rows: [[standby, backup, started]]}} ->
        json(conn, %{standby: standby, backup: backup, started: started})

      {:error, reason} ->
        Logger.error("SELECT pg_is_in_backup() failed: #{inspect(reason)}")
        conn |> put_status(503) |> json(%{error: "database"})
    end
  end

  def locale(conn, _params) do
    [row] =
      Repo.rows_as_maps("""
      SELECT datcollate AS collate, datctype AS ctype, pg_encoding_to_char(encoding) AS encoding
        FROM pg_database
       WHERE datname = current_database()
      """)

    json(conn, row)
  end
end
