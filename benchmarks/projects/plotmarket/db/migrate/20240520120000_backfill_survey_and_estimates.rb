class BackfillSurveyAndEstimates < ActiveRecord::Migration[6.1]
  def up
    execute <<~SQL
      UPDATE plots
         SET surveyed_m2 = round(area_m2, 1)
       WHERE surveyed_m2 IS NULL
    SQL
    execute <<~SQL
      UPDATE market_days
         SET open_for = interval '4 hours 30 minutes'
       WHERE EXTRACT(dow FROM held_on) = 6
         AND open_for < interval '4 hours'
    SQL
    execute <<~SQL
      UPDATE leases
         SET term = '18 months'
       WHERE term::interval = interval '1.5 years'
    SQL
  end

  def down
    raise ActiveRecord::IrreversibleMigration
  end
end
