defmodule Deskhive.Repo.Migrations.MembershipTerms do
  use Ecto.Migration

  def up do
    execute("""
    CREATE OR REPLACE FUNCTION membership_term(plan text) RETURNS interval
        LANGUAGE sql IMMUTABLE AS $$
      SELECT CASE plan
               WHEN 'founder' THEN interval '2.5 years'
               WHEN 'resident' THEN interval '1 year'
               WHEN 'flex' THEN interval '1.5 months'
               ELSE interval '1 month'
             END
    $$
    """)

    execute("""
    CREATE UNLOGGED TABLE IF NOT EXISTS door_heartbeats (
      location_id bigint NOT NULL,
      door text NOT NULL,
      seen_at timestamptz NOT NULL,
      PRIMARY KEY (location_id, door)
    )
    """)
  end

  def down do
    execute("DROP TABLE door_heartbeats")
    execute("DROP FUNCTION membership_term(text)")
  end
end
