import Config

if config_env() == :prod do
  config :postroute, Postroute.Repo,
    url: System.fetch_env!("DATABASE_URL"),
    pool_size: String.to_integer(System.get_env("POOL_SIZE") || "15"),
    parameters: [application_name: "postroute", lock_timeout: "8s"]

  config :postroute, PostrouteWeb.Endpoint,
    server: true,
    secret_key_base: System.fetch_env!("SECRET_KEY_BASE")
end
