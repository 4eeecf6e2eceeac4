defmodule Deskhive.Legacy.NexusImport do
  @moduledoc """
  Loads members from the MySQL database of Nexus, the product that we used until 2021.
  Two locations still run on it.
  """

  alias Deskhive.Repo

  @batch 500

  def run(opts) do
    {:ok, mysql} = MyXQL.start_link(opts)

    %MyXQL.Result{rows: rows} =
      MyXQL.query!(
        mysql,
        "SELECT id, email, JSON_VALUE(`payload`, '$.plan'), DATE_ADD(`joined`, INTERVAL 1 MONTH) FROM `members` WHERE `active` = 1"
      )

    rows |> Enum.chunk_every(@batch) |> Enum.each(&stage/1)
    merge()
  end

  defp stage(rows) do
    Repo.insert_all(
      "nexus_staging",
      Enum.map(rows, fn [id, email, plan, trial_end] ->
        %{nexus_id: id, email: email, payload: %{plan: plan, trial_end: trial_end}}
      end)
    )
  end

  defp merge do
    Repo.query!("""
    INSERT INTO users (email, full_name, role, inserted_at, updated_at)
    SELECT DISTINCT ON (lower(email)) email, split_part(email, '@', 1), 'member', now(), now()
      FROM nexus_staging
     WHERE email IS NOT NULL
     ORDER BY lower(email), loaded_at DESC
    ON CONFLICT (email) DO NOTHING
    """)

    Repo.query!("TRUNCATE nexus_staging")
  end
end
