class Listing < ApplicationRecord
  belongs_to :member
  belongs_to :produce_kind

  SEARCHED = "to_tsvector('english', listings.title || ' ' || listings.description)".freeze

  scope :offered, -> { where(state: "offered") }
  scope :matching, ->(words) { where("#{SEARCHED} @@ plainto_tsquery('english', ?)", words) }
  scope :for_cooks, -> { where("to_tsvector('english', listings.description) @@ to_tsquery('english', 'cider | jelly')") }
  scope :raised_bed, -> { where("to_tsvector('english', listings.description) @@ to_tsquery('english', 'raised_bed')") }
  scope :not_sprayed, -> { where("to_tsvector('english', listings.description) @@ to_tsquery('english', 'never & sprayed')") }
  scope :cut_to_order, -> { where("to_tsvector('english', listings.description) @@ phraseto_tsquery('english', 'cut to order')") }
  scope :labelled, ->(labels) { where("listings.labels @> ARRAY[?]::text[]", labels) }
  scope :boxed, -> { where("listings.details ? 'box'") }

  # The teasers of the start page: some photos, and the first one alone for the mail.
  def self.teasers
    find_by_sql(<<~SQL)
      SELECT listings.id,
             listings.title,
             array_to_string(trim_array(listings.photos, 3), ' ') AS photos_shown,
             array_to_string(public.trim_array(listings.photos, 1), ' ') AS cover
        FROM listings
       WHERE listings.state <> 'withdrawn'
       ORDER BY listings.id
    SQL
  end

  def self.newsletter_photos
    find_by_sql(<<~SQL)
      SELECT listings.id,
             trim(both ' ' from listings.title) AS title,
             listings.photos[1:2] AS photos
        FROM listings
       WHERE listings.state = 'offered'
       ORDER BY listings.id
    SQL
  end

  def self.label_vectors
    connection.select_rows(<<~SQL)
      SELECT listings.id, array_to_tsvector(array_remove(listings.labels, ''))
        FROM listings
       ORDER BY listings.id
    SQL
  end

  def self.detail_words
    connection.select_rows(<<~SQL)
      SELECT listings.id, jsonb_to_tsvector('english', listings.details, '["string", "numeric"]')
        FROM listings
       ORDER BY listings.id
    SQL
  end

  def self.words_of_title(id)
    connection.select_values(sanitize_sql([<<~SQL, { id: id }]))
      SELECT word
        FROM listings, string_to_table(listings.title, ' ', true) AS word
       WHERE listings.id = :id
       ORDER BY word
    SQL
  end
end
