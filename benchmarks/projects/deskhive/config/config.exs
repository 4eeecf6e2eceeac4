import Config

config :deskhive,
  ecto_repos: [Deskhive.Repo],
  generators: [timestamp_type: :utc_datetime]

config :deskhive, Deskhive.Repo,
  migration_primary_key: [type: :bigint],
  migration_timestamps: [type: :utc_datetime]

config :deskhive, DeskhiveWeb.Endpoint,
  url: [host: "localhost"],
  adapter: Bandit.PhoenixAdapter,
  pubsub_server: Deskhive.PubSub

config :deskhive, Deskhive.Ops,
  slow_query_limit: 25,
  health_timeout_ms: 1_500

config :logger, :console,
  format: "$time $metadata[$level] $message\n",
  metadata: [:request_id, :location]

config :phoenix, :json_library, Jason

import_config "#{config_env()}.exs"
