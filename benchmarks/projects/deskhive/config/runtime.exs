import Config

if config_env() == :prod do
  database_url =
    System.get_env("DATABASE_URL") ||
      raise "environment variable DATABASE_URL is missing, e.g. ecto://deskhive:secret@db/deskhive"

  config :deskhive, Deskhive.Repo,
    url: database_url,
    pool_size: String.to_integer(System.get_env("POOL_SIZE") || "15"),
    ssl: System.get_env("DATABASE_SSL") in ~w(1 true),
    parameters: [application_name: "deskhive", plan_cache_mode: "auto"]

  config :deskhive, Deskhive.Legacy.MySQL,
    hostname: System.get_env("NEXUS_MYSQL_HOST", "nexus-db.internal"),
    database: "nexus",
    username: "deskhive_import"
end
