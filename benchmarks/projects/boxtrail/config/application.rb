require_relative "boot"
require "rails/all"

Bundler.require(*Rails.groups)

module Boxtrail
  class Application < Rails::Application
    config.load_defaults 7.0
    config.active_record.schema_format = :sql
    config.time_zone = "Beijing"
    config.autoload_paths << Rails.root.join("lib")
  end
end
