import Config

config :postroute,
  ecto_repos: [Postroute.Repo],
  generators: [timestamp_type: :utc_datetime_usec]

config :postroute, Postroute.Repo,
  migration_primary_key: [type: :bigserial],
  migration_timestamps: [type: :utc_datetime_usec]

config :postroute, PostrouteWeb.Endpoint,
  url: [host: "localhost"],
  render_errors: [formats: [json: PostrouteWeb.ErrorJSON], layout: false],
  pubsub_server: Postroute.PubSub

config :logger, :console,
  format: "$time $metadata[$level] $message\n",
  metadata: [:request_id]

config :phoenix, :json_library, Jason
