defmodule Canopy.Inventory.Tree do
  use Ecto.Schema
  import Ecto.Changeset

  schema "trees" do
    field :street, :string
    field :house_number, :string
    field :planted_on, :date
    field :girth_cm, :integer
    field :hazard_tags, {:array, :string}, default: []
    field :details, :map, default: %{}
    belongs_to :species, Canopy.Inventory.Species
  end

  def changeset(tree, attrs) do
    tree
    |> cast(attrs, [:street, :house_number, :planted_on, :girth_cm, :hazard_tags, :details, :species_id])
    |> validate_required([:street, :species_id])
    |> foreign_key_constraint(:species_id)
  end
end
