namespace :plotmarket do
  desc "Load the demo data"
  task demo: :environment do
    ActiveRecord::Base.connection.execute(Rails.root.join("db/demo.sql").read)
  end

  desc "Withdraw what nobody bought"
  task withdraw: :environment do
    ActiveRecord::Base.connection.execute(<<~SQL)
      UPDATE listings
         SET state = 'withdrawn'
       WHERE state = 'reserved'
         AND created_at < timestamp '2024-01-01'
    SQL
  end

  desc "Print who changed leases"
  task audit: :environment do
    rows = ActiveRecord::Base.connection.select_rows(<<~SQL)
      SELECT audit_entries.row_id, audit_entries.action, audit_entries."system_user" IS NOT NULL
        FROM audit_entries
       WHERE audit_entries.table_name = 'leases'
       ORDER BY audit_entries.id
    SQL
    rows.each { |row| puts row.join("\t") }
  end
end
