import Config

config :energy,
  ecto_repos: [Energy.Repo],
  settlement_zone: "Asia/Kolkata"

config :energy, Energy.Repo,
  migration_default_prefix: "metering",
  after_connect: {Postgrex, :query!, ["SET search_path TO metering, public", []]},
  pool_size: 20

config :energy, EnergyWeb.Endpoint,
  render_errors: [formats: [json: EnergyWeb.ErrorJSON], layout: false],
  pubsub_server: Energy.PubSub
