# frozen_string_literal: true

# Forecasts are computed anew each night, so they need no WAL.
class CreateDemandForecasts < ActiveRecord::Migration[6.1]
  def up
    execute <<~SQL
      CREATE UNLOGGED TABLE demand_forecasts (
        product_id bigint NOT NULL,
        week date NOT NULL,
        quantity numeric(14,3) NOT NULL
      ) PARTITION BY RANGE (week)
    SQL

    execute <<~SQL
      CREATE TABLE safety_stocks (
        product_id bigint NOT NULL,
        site text NOT NULL,
        quantity numeric(14,3) NOT NULL
      ) PARTITION BY LIST (site);
      CREATE UNLOGGED TABLE safety_stocks_scratch PARTITION OF safety_stocks FOR VALUES IN ('scratch');
    SQL
  end

  def down
    drop_table :demand_forecasts
    drop_table :safety_stocks
  end
end
