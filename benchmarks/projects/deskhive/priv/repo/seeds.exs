alias Deskhive.Repo

now = DateTime.utc_now() |> DateTime.truncate(:second) |> DateTime.to_naive()

locations = [
  %{slug: "ams-docks", name: "Amsterdam Docks", city: "Amsterdam", amenities: ["showers", "bike storage"]},
  %{slug: "utr-station", name: "Utrecht Station", city: "Utrecht", amenities: ["podcast room"]},
  %{slug: "rtm-harbour", name: "Rotterdam Harbour", city: "Rotterdam", amenities: []}
]

Repo.insert_all(
  "locations",
  Enum.map(locations, &Map.merge(&1, %{inserted_at: now, updated_at: now})),
  on_conflict: :nothing,
  conflict_target: :slug
)

# Articles of the internal help centre, shown below /ops/help.
help = %{
  "backup" => "The flag of pg_is_in_backup() is shown as a yellow dot on the status page.",
  "settings" => "Ask the platform team before you change old_snapshot_threshold in staging.",
  "imports" => "Rows of the import belong to the system_user account."
}

File.write!("priv/static/help.json", Jason.encode!(help))
