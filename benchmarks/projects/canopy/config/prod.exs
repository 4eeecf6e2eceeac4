import Config

config :canopy, Canopy.Repo,
  pool_size: 20,
  parameters: [application_name: "canopy", timezone: "UTC"]

config :logger, level: :info
