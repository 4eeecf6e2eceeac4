namespace :database do
  desc "Print locale, size and replication state of the current database"
  task info: :environment do
    connection = ActiveRecord::Base.connection
    locale = connection.select_value("SHOW lc_collate")
    size = connection.select_value("SELECT pg_size_pretty(pg_database_size(current_database()))")
    health = Database::Health.new(connection)

    puts "locale #{locale}, size #{size}, standby: #{health.standby?}"
    warn "SHOW lc_collate should give C on the build servers" unless locale == "C"
  end

  desc "List check constraints and foreign keys"
  task constraints: :environment do
    connection = ActiveRecord::Base.connection
    rows = connection.select_all(Database::Constraints::CHECKS).to_a
    rows += connection.select_all(Database::Constraints::FOREIGN_KEYS).to_a
    rows.each { |row| puts row.values.join("  ") }
  end
end
