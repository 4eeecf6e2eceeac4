alias Postroute.Repo

for {id, code, name, city} <- [
      {1, "NUE", "Hub Nord", "Nürnberg"},
      {2, "KSF", "Kassel", "Kassel"},
      {3, "LEJ", "Leipzig Air", "Leipzig"}
    ] do
  Repo.query!(
    "INSERT INTO hubs (id, code, name, city) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING",
    [id, code, name, city]
  )
end
