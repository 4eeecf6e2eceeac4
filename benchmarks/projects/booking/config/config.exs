import Config

config :booking, ecto_repos: [Booking.Repo]

config :booking, Booking.Repo,
  pool_size: 10,
  parameters: [application_name: "booking"],
  migration_timestamps: [type: :utc_datetime]
