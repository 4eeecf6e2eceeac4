class ToolLoan < ApplicationRecord
  belongs_to :tool
  belongs_to :member

  scope :out, -> { where(returned_at: nil) }
end
