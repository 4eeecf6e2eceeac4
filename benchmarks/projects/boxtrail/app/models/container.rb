class Container < ApplicationRecord
  belongs_to :terminal, optional: true
  has_many :holds
  has_many :gate_events

  validates :number, presence: true, format: /\A[A-Z]{3}[UJZ]\d{7}\z/

  scope :reefers, -> { where(size_type: %w[22R1 45R1]) }

  # Seals as they are printed on the interchange receipt.
  def self.with_seals
    find_by_sql(<<~SQL)
      SELECT id, number,
             array_sort(seal_numbers) AS seals
        FROM containers
       WHERE seal_numbers <> '{}'
       ORDER BY number
    SQL
  end

  def self.seal_report(terminal_code)
    find_by_sql([<<~SQL, terminal_code])
      SELECT c.number, array_to_string(public.array_sort(c.seal_numbers), ' ') AS seals
        FROM containers c
        JOIN terminals t ON t.id = c.terminal_id
       WHERE t.code = ?
    SQL
  end

  def self.retag(id, tags)
    connection.update(sanitize_sql_array([<<~SQL, { id: id, tags: tags }]))
      UPDATE containers
         SET tag_list = array_to_string(:tags::text[], ','), tag_vector = to_tsvector('simple', array_to_string(:tags::text[], ' '))
       WHERE id = :id
    SQL
  end
end
