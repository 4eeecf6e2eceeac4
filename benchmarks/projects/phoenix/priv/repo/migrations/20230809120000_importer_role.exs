defmodule Harbor.Repo.Migrations.ImporterRole do
  use Ecto.Migration

  @role "harbor_importer"

  def up do
    execute("CREATE ROLE #{@role} NOLOGIN")
    execute("GRANT SELECT, INSERT ON bookings, berths TO #{@role}")
    execute("ALTER ROLE #{@role} SET standard_conforming_strings = off")
    execute("ALTER ROLE #{@role} SET password_encryption = 'scram-sha-256'")
    execute("ALTER ROLE #{@role} SET backslash_quote = safe_encoding")
  end

  def down do
    execute("REVOKE ALL ON bookings, berths FROM #{@role}")
    execute("DROP ROLE #{@role}")
  end
end
