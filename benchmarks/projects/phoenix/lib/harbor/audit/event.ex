defmodule Harbor.Audit.Event do
  use Ecto.Schema

  schema "audit_events" do
    field :action, :string
    field :system_user, :string
    field :payload, :map
    belongs_to :account, Harbor.Accounts.Account
    timestamps(updated_at: false)
  end
end
