defmodule Canopy.Repo do
  use Ecto.Repo, otp_app: :canopy, adapter: Ecto.Adapters.Postgres

  @doc "The number of the server's version, such as 150004."
  def server_version_num do
    %{rows: [[version]]} = query!("SELECT current_setting('server_version_num')::int")
    version
  end
end
