alias Canopy.Repo

for statement <- "priv/repo/demo_data.sql" |> File.read!() |> String.split(~r/;\n/, trim: true) do
  Repo.query!(statement)
end
