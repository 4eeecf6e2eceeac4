# frozen_string_literal: true

namespace :inventory do
  desc "Import a CSV of lots"
  task :import, [:path] => :environment do |_task, args|
    LotImport.new(args.fetch(:path)).call
  end

  desc "Movements of a lot, by any spelling"
  task :lot, [:lot] => :environment do |_task, args|
    puts ApplicationRecord.rows(<<~SQL, args.fetch(:lot))
      SELECT m.booked_at, p.sku, m.quantity
        FROM stock_movements m JOIN products p ON p.id = m.product_id
       WHERE lot_key(m.lot) = lot_key(?)
       ORDER BY m.booked_at
    SQL
  end
end
