defmodule Booking.Repo do
  use Ecto.Repo,
    otp_app: :booking,
    adapter: Ecto.Adapters.Postgres

  def one_value(sql, params \\ []) do
    %{rows: [[value | _] | _]} = Ecto.Adapters.SQL.query!(__MODULE__, sql, params)
    value
  end
end
