defmodule Postroute.Repo do
  use Ecto.Repo,
    otp_app: :postroute,
    adapter: Ecto.Adapters.Postgres

  @doc "The server's version as a number, such as 140011."
  def server_version_num do
    %{rows: [[version]]} = query!("SELECT current_setting('server_version_num')::int")
    version
  end
end
