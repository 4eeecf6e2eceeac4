defmodule Canopy.Inventory.Species do
  use Ecto.Schema

  schema "species" do
    field :latin, :string
    field :common, :string
    field :native, :boolean, default: false
    has_many :trees, Canopy.Inventory.Tree
  end
end
