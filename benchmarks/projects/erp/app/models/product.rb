# frozen_string_literal: true

class Product < ApplicationRecord
  belongs_to :supplier, optional: true
  has_many :stock_movements

  scope :active, -> { where("discontinued_on IS NULL OR discontinued_on > current_date") }

  # EDIFACT kinds, not all of which are sold separately
  scope :wear_parts, -> { where("kind IN ('BufferPin', 'Bushing', 'Seal')") }

  def self.by_sku(text)
    where("sku_key(sku) = sku_key(?)", text).first
  end

  # Colour as the supplier delivers it; the catalogue normalizes it later.
  def self.with_colour(colour)
    find_by_sql([<<~SQL, colour])
      SELECT products.*
        FROM products
       WHERE public.json_value(attributes, 'colour') = ?
       ORDER BY sku
    SQL
  end

  def fingerprint
    self.class.connection.select_value("SELECT md5(sku || name) FROM products WHERE id = #{id.to_i}")
  end
end
