class Copy < ApplicationRecord
  belongs_to :title
  belongs_to :branch

  # Dewey 823, authors And... (Andric, Anderson, ...)
  scope :shelf_823_and, -> { where("call_number LIKE '823AND%'") }

  scope :tagged, ->(tag) { where("array_position(tags, ?) IS NOT NULL", tag) }

  def self.tags_by_branch
    connection.select_rows(<<~SQL).to_h
      SELECT branch_id, merge_tags(tags ORDER BY id)
        FROM copies
       GROUP BY branch_id
    SQL
  end
end
