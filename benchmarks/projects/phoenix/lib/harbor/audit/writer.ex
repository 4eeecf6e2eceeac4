defmodule Harbor.Audit.Writer do
  @moduledoc "Bulk inserts of audit events, without changesets."

  alias Harbor.Repo

  @insert """
  INSERT INTO audit_events (account_id, action, system_user, payload)
  SELECT e.account_id, e.action, e.os_user, e.payload
    FROM jsonb_to_recordset($1)
      AS e(account_id bigint, action text, os_user text, payload jsonb)
  """

  @connected """
  SELECT a.pid, a.usename AS system_user, a.backend_start
    FROM pg_stat_activity a
   WHERE a.datname = current_database()
  """

  def insert_all(events), do: Repo.query!(@insert, [events])

  def connected do
    %{rows: rows} = Repo.query!(@connected)
    rows
  end
end
