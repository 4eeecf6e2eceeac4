class ScoreStatistics < ActiveRecord::Migration[7.0]
  disable_ddl_transaction!

  def up
    execute "ALTER TABLE public.scores ALTER COLUMN subject SET STATISTICS 500"
  end

  def down
    execute "ALTER TABLE public.scores ALTER COLUMN subject SET STATISTICS -1"
  end
end
