require "mysql2"

# Reads the old catalogue, which ran on MySQL until 2014. Kept for the interlibrary loans.
module Legacy
  class BibdiaImport
    def initialize(options)
      @client = Mysql2::Client.new(options)
    end

    def interlibrary_loans
      @client.query("SELECT id, EXTRACT(HOUR FROM due) AS due_hour, DATE_ADD(due, INTERVAL 7 DAY) AS until FROM fernleihe")
    end

    def subjects
      @client.query("SELECT titel_id, JSON_ARRAYAGG(schlagwort) AS subjects FROM schlagworte GROUP BY titel_id")
    end
  end
end
