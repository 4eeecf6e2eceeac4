defmodule Postroute.Repo.Migrations.AddServiceLevels do
  use Ecto.Migration

  def change do
    create table(:service_levels) do
      add :code, :string, size: 12, null: false
      add :promise, :interval, null: false, default: fragment("interval '36 hours'")
      add :keep_for, :interval
      timestamps()
    end

    create unique_index(:service_levels, [:code])

    execute(
      "INSERT INTO service_levels (code, promise, keep_for, inserted_at, updated_at) VALUES " <>
        "('EXPRESS', interval '1 day', interval '2.5 years', now(), now())",
      "DELETE FROM service_levels WHERE code = 'EXPRESS'"
    )

    # customs wants the papers a bit longer
    execute(
      "INSERT INTO service_levels (code, promise, keep_for, inserted_at, updated_at) VALUES " <>
        "('CUSTOMS', interval '9 days', interval '5.55 years', now(), now())",
      "DELETE FROM service_levels WHERE code = 'CUSTOMS'"
    )
  end
end
