defmodule Postroute.Parcels.ScanEvent do
  use Ecto.Schema
  import Ecto.Changeset

  @primary_key {:id, :id, autogenerate: false}
  schema "scan_events" do
    field :parcel_id, :integer
    field :hub_id, :integer
    field :device, :string
    field :system_user, :string
    field :note, :string
    field :scanned_at, :naive_datetime_usec
  end

  def changeset(event, attrs) do
    event
    |> cast(attrs, [:parcel_id, :hub_id, :device, :system_user, :note, :scanned_at])
    |> validate_required([:parcel_id, :scanned_at])
    |> validate_length(:system_user, max: 60)
  end
end
