defmodule Mix.Tasks.Deskhive.SchemaCheck do
  @shortdoc "Compares the constraints of the live schema with the numbers that we expect"

  @moduledoc """
  Run before each release:

      mix deskhive.schema_check

  It fails if somebody added or dropped a constraint by hand.
  """
  use Mix.Task
  alias Deskhive.Repo

  @expected %{"bookings" => 6, "memberships" => 3, "invoices" => 2, "spaces" => 3}

  @foreign_keys """
  SELECT conname, confrelid::regclass::text AS target
    FROM pg_constraint
   WHERE conrelid = $1::text::regclass AND contype = 'f' AND NOT convalidated
  """

  @impl true
  def run(_args) do
    Mix.Task.run("app.start")

    for {table, expected} <- @expected do
      %{rows: [[found]]} =
        Repo.query!("SELECT count(*) FROM pg_constraint WHERE conrelid = $1::text::regclass", [table])

      if found != expected do
        Mix.raise("#{table} has #{found} constraints instead of #{expected}")
      end

      case Repo.rows_as_maps(@foreign_keys, [table]) do
        [] -> :ok
        keys -> Mix.shell().error("#{table}: not validated: #{inspect(keys)}")
      end
    end
  end
end
