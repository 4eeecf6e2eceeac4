defmodule Deskhive.Repo do
  use Ecto.Repo, otp_app: :deskhive, adapter: Ecto.Adapters.Postgres

  @doc "The server's version as a number, such as 140011."
  def server_version do
    %{rows: [[version]]} = query!("SELECT current_setting('server_version_num')::int")
    version
  end

  def rows_as_maps(sql, params \\ []) do
    %{columns: columns, rows: rows} = query!(sql, params)
    Enum.map(rows, fn row -> columns |> Enum.zip(row) |> Map.new() end)
  end
end
