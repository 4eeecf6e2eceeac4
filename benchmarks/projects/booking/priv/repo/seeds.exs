alias Booking.Repo

Repo.transaction(fn ->
  Ecto.Adapters.SQL.query!(Repo, "SELECT setseed($1)", [0.42])

  Ecto.Adapters.SQL.query!(
    Repo,
    """
    INSERT INTO rooms (id, name, floor)
    SELECT n, 'Room ' || n, 1 + n % 7
    FROM generate_series(1, 40) AS n
    ORDER BY random()
    """,
    []
  )
end)
