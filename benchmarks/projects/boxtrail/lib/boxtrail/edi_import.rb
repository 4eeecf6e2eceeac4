module Boxtrail
  # Lines of the gate log of a terminal, as the EDI gateway leaves them.
  class EdiImport
    def initialize(connection = ActiveRecord::Base.connection.raw_connection)
      @connection = connection
    end

    def call(path)
      @connection.copy_data("COPY edi_buffers (line) FROM STDIN WITH (FORMAT text) WHERE line <> ''") do
        File.foreach(path) { |line| @connection.put_copy_data(line) }
      end
      @connection.exec("SELECT count(*) FROM edi_buffers")[0]["count"].to_i
    end
  end
end
