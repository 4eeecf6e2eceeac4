class Score < ApplicationRecord
  belongs_to :student

  # Marks are due a week and a half day after the paper was handed in.
  OVERDUE = <<~SQL.squish.freeze
    scores.graded_at IS NULL
    AND scores.submitted_at < now() + interval '1 week ago 12 hours'
  SQL

  scope :overdue, -> { where(OVERDUE) }
  scope :recent, -> { where("scores.submitted_at > now() + interval '3 days ago'") }
  scope :this_fortnight, -> { where("scores.submitted_at > ?", 2.weeks.ago) }

  # Remarks that mention the report card, in any spelling.
  scope :on_report_card, lambda {
    where("to_tsvector('simple', scores.remark) @@ to_tsquery('simple', 'report_card')")
  }

  scope :on_transcript, lambda {
    where("to_tsvector('simple', scores.remark) @@ plainto_tsquery('simple', 'final_transcript')")
  }

  scope :passed, -> { where("scores.percent >= 35") }
end
