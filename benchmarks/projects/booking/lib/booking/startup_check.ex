defmodule Booking.StartupCheck do
  alias Booking.Repo

  def run do
    server_version_num = Repo.one_value("SELECT current_setting('server_version_num')::int")

    %{
      encoding: Repo.one_value("SHOW server_encoding"),
      collation: Repo.one_value("SHOW lc_collate"),
      messages: Repo.one_value("SHOW lc_messages"),
      replica: Repo.one_value("SELECT pg_is_in_recovery()"),
      backup: backup?(server_version_num)
    }
  end

  defp backup?(server_version_num) do
    if server_version_num < 150_000 do
      Repo.one_value("SELECT pg_is_in_backup()")
    else
      false
    end
  end
end
