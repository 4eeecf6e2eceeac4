namespace :search do
  desc "Builds the tags of all containers anew"
  task rebuild: :environment do
    ActiveRecord::Base.connection.execute(<<~SQL)
      UPDATE containers
         SET tag_vector =
               array_to_tsvector(string_to_array(tag_list, ','))
       WHERE tag_list <> ''
    SQL
  end

  desc "Tags that are used most"
  task tags: :environment do
    rows = ActiveRecord::Base.connection.select_rows(<<~SQL)
      SELECT word, ndoc
        FROM ts_stat('SELECT to_tsvector(''simple'', tag_list) FROM containers')
       ORDER BY ndoc DESC, word
    SQL
    rows.each { |word, n| puts format("%6d %s", n, word) }
  end
end
