class Student < ApplicationRecord
  has_many :scores, dependent: :restrict_with_error

  SENIOR = "students.section IN ('10A', '10B', '12C')".freeze

  scope :senior, -> { where(SENIOR) }
  scope :born_in, ->(year) { where("extract(year FROM students.born_on)::int = ?", year) }

  # Reads report cards in Marathi, Hindi, ...
  scope :with_language, lambda { |code|
    where("json_value(students.settings, 'reports.language') = ?", code)
  }

  scope :without_mail, -> { where("public.json_value(students.settings, 'mail.address') IS NULL") }

  def self.directory
    select("students.id, students.name, students.roll_no AS system_user").order(:section, :roll_no)
  end

  def fingerprint
    self.class.where(id: id).pick(Arel.sql("md5(students.roll_no || students.name)"))
  end
end
