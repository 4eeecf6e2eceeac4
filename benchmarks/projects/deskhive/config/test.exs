import Config

config :deskhive, Deskhive.Repo,
  username: "postgres",
  password: "postgres",
  hostname: "localhost",
  database: "deskhive_test#{System.get_env("MIX_TEST_PARTITION")}",
  pool: Ecto.Adapters.SQL.Sandbox,
  parameters: [application_name: "deskhive-test"]

config :deskhive, DeskhiveWeb.Endpoint,
  http: [ip: {127, 0, 0, 1}, port: 4002],
  server: false

config :logger, level: :warning
