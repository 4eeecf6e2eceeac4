# frozen_string_literal: true

class Asset < ApplicationRecord
  has_many :inspection_rounds

  # Useful lives of the official depreciation table (AfA), in PostgreSQL's words
  USEFUL_LIFE = {
    "forklift" => "interval '8 years'",
    "terminal" => "interval '2.3 years'",
    "scanner"  => "interval '1.5 years'"
  }.freeze

  def self.fully_depreciated(class_code)
    life = USEFUL_LIFE.fetch(class_code)
    where("disposed_on IS NULL AND class_code = ?", class_code)
      .where("acquired_on + #{life} < current_date")
  end

  def self.inspection_backlog
    rows(<<~SQL)
      SELECT asset_id, sum(checkpoints_timed) AS due, sum(checkpoints_req) AS requested
        FROM inspection_rounds
       WHERE walked_on IS NULL
       GROUP BY asset_id
    SQL
  end
end
