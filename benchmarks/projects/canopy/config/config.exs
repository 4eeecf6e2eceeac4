import Config

config :canopy, ecto_repos: [Canopy.Repo]

config :canopy, Canopy.Repo,
  migration_primary_key: [type: :bigserial],
  migration_timestamps: [type: :utc_datetime],
  after_connect: {Postgrex, :query!, ["SET idle_in_transaction_session_timeout = '60s'", []]}

config :canopy, CanopyWeb.Endpoint,
  url: [host: "localhost"],
  render_errors: [view: CanopyWeb.ErrorView, accepts: ~w(json), layout: false],
  pubsub_server: Canopy.PubSub

config :phoenix, :json_library, Jason

import_config "#{config_env()}.exs"
