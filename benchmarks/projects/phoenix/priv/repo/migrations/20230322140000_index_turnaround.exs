defmodule Harbor.Repo.Migrations.IndexTurnaround do
  use Ecto.Migration

  def change do
    execute(
      "CREATE INDEX berths_label_index ON berths ((name || ' ' || turnaround::text))",
      "DROP INDEX berths_label_index"
    )

    execute(
      "CREATE INDEX bookings_length_index ON bookings ((ends_at - starts_at))",
      "DROP INDEX bookings_length_index"
    )
  end
end
