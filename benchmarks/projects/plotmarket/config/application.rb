require_relative "boot"
require "rails/all"

Bundler.require(*Rails.groups)

module Plotmarket
  class Application < Rails::Application
    config.load_defaults 6.1
    config.time_zone = "Berlin"
    config.active_record.schema_format = :sql
    config.active_record.dump_schemas = "public"
    config.autoload_paths << Rails.root.join("app/queries")
  end
end
