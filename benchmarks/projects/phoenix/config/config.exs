import Config

config :harbor, ecto_repos: [Harbor.Repo]

config :harbor, Harbor.Repo,
  migration_timestamps: [type: :utc_datetime_usec],
  migration_primary_key: [type: :bigserial],
  parameters: [application_name: "harbor"]

config :logger, :console, format: "$time $metadata[$level] $message\n"

import_config "#{config_env()}.exs"
