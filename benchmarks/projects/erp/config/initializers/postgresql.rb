# frozen_string_literal: true

# Settings for every connection of the pool. The EDI partners still send
# addresses with backslashes, which used to fill the log with warnings.
module Kontor
  module ConnectionSetup
    SESSION = [
      "SET application_name = 'kontor'",
      "SET escape_string_warning = off",
      "SET backslash_quote = safe_encoding",
      "SET lock_timeout = '5s'"
    ].freeze

    def configure_connection
      super
      SESSION.each { |statement| execute(statement, "SCHEMA") }
    end
  end
end

ActiveSupport.on_load(:active_record) do
  require "active_record/connection_adapters/postgresql_adapter"
  ActiveRecord::ConnectionAdapters::PostgreSQLAdapter.prepend(Kontor::ConnectionSetup)
end
