defmodule Energy.Repo do
  use Ecto.Repo, otp_app: :energy, adapter: Ecto.Adapters.Postgres

  @doc "Version of the server as a number, such as 130016."
  def server_version_num do
    %{rows: [[num]]} = query!("SELECT current_setting('server_version_num')::int")
    num
  end

  def put_tenant(tenant) do
    query!("SELECT set_config('energy.tenant', $1, true)", [tenant])
  end

  def message_locale do
    %{rows: [[locale]]} = query!("SELECT current_setting('lc_messages')")
    locale
  end
end
