require_relative "boot"
require "rails/all"

Bundler.require(*Rails.groups)

module Workshop
  class Application < Rails::Application
    config.load_defaults 6.1
    config.active_record.schema_format = :sql
    config.time_zone = "Europe/Berlin"
  end
end
