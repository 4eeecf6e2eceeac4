namespace :maintenance do
  task sample: :environment do
    ActiveRecord::Base.connection.execute("SELECT sample_server()")
  end

  desc "Empties the buffer of EDI lines"
  task edi: :environment do
    connection = ActiveRecord::Base.connection
    connection.execute("DELETE FROM edi_buffers WHERE loaded_at < now() - interval '2 days'")
    connection.execute("VACUUM edi_buffers")
  end

  task digits: :environment do
    wrong = ActiveRecord::Base.connection.select_values(<<~SQL)
      SELECT number FROM containers WHERE check_digit(number) <> right(number, 1)::integer ORDER BY number
    SQL
    abort "wrong check digits: #{wrong.join(', ')}" if wrong.any?
  end
end
