defmodule Harbor.Ops.EdgeCache do
  @moduledoc "A copy of the berths on the quay's terminals, in SQLite."

  alias Exqlite.Sqlite3

  def open(path) do
    {:ok, conn} = Sqlite3.open(path)

    :ok =
      Sqlite3.execute(
        conn,
        "CREATE TABLE IF NOT EXISTS berths (id integer, name text, label text GENERATED ALWAYS AS (name || id))"
      )

    conn
  end
end
