namespace :courier do
  desc "Print the health of the database"
  task health: :environment do
    health = Courier::DatabaseHealth.new(ActiveRecord::Base.connection)
    puts health.writer.inspect, health.io_time, health.lock_contention
  end
end
