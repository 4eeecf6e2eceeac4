import Config

if config_env() == :prod do
  config :canopy, Canopy.Repo,
    url: System.fetch_env!("DATABASE_URL"),
    ssl: System.get_env("DATABASE_SSL") == "true"

  config :canopy, CanopyWeb.Endpoint,
    http: [port: String.to_integer(System.get_env("PORT", "4000"))],
    secret_key_base: System.fetch_env!("SECRET_KEY_BASE")
end
