defmodule Postroute.Parcels.Parcel do
  use Ecto.Schema

  schema "parcels" do
    field :label, :string
    field :state, Ecto.Enum, values: [:announced, :accepted, :in_transit, :delivered, :returned]
    field :manifest, :map, default: %{}
    field :weight_g, :integer
    field :hub_path, {:array, :integer}, default: []
    field :last_scan_at, :naive_datetime_usec
    field :deliver_by, :naive_datetime_usec
    timestamps()
  end
end
