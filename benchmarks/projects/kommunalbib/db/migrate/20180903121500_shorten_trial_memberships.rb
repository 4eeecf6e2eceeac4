# Council decision 2018-41: trial cards run for a third of a year, seniors for a year and a half.
class ShortenTrialMemberships < ActiveRecord::Migration[5.2]
  def up
    execute <<~SQL
      UPDATE patrons
         SET expires_on = joined_on + interval '0.33 years'
       WHERE category = 'trial'
    SQL

    execute <<~SQL
      UPDATE patrons
         SET expires_on = joined_on + interval '1.5 years'
       WHERE category = 'senior'
    SQL
  end

  def down
    raise ActiveRecord::IrreversibleMigration
  end
end
