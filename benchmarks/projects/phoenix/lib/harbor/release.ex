defmodule Harbor.Release do
  @app :harbor

  def migrate do
    Application.load(@app)

    for repo <- Application.fetch_env!(@app, :ecto_repos) do
      {:ok, _, _} =
        Ecto.Migrator.with_repo(repo, fn repo ->
          check_collation(repo)
          Ecto.Migrator.run(repo, :up, all: true)
        end)
    end
  end

  defp check_collation(repo) do
    %{rows: [[collation]]} = repo.query!("SHOW lc_collate")
    %{rows: [[encoding]]} = repo.query!("SHOW server_encoding")

    if encoding != "UTF8" or collation not in ["C", "C.UTF-8", "en_US.UTF-8"] do
      raise "unexpected locale of the database: #{encoding}, #{collation}"
    end
  end
end
