defmodule Deskhive.Bookings.Booking do
  use Ecto.Schema
  import Ecto.Changeset

  schema "bookings" do
    field :status, Ecto.Enum, values: [:held, :confirmed, :checked_in, :cancelled, :no_show]
    field :during, Deskhive.Types.TimestampRange
    field :price, :decimal
    field :notes, :string
    field :source, :string, default: "web"
    belongs_to :space, Deskhive.Bookings.Space
    belongs_to :user, Deskhive.Accounts.User
    belongs_to :created_by, Deskhive.Accounts.User

    timestamps(type: :utc_datetime)
  end

  def changeset(booking, attrs) do
    booking
    |> cast(attrs, [:space_id, :user_id, :created_by_id, :during, :price, :notes, :source])
    |> validate_required([:space_id, :user_id, :during])
    |> validate_inclusion(:source, ["web", "app", "kiosk", "system_user"])
    |> exclusion_constraint(:during, name: :bookings_no_overlap, message: "is already taken")
  end
end
