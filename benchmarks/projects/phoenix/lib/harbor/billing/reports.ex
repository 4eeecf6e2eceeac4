defmodule Harbor.Billing.Reports do
  import Ecto.Query

  alias Harbor.Repo

  @page_size 50

  def by_hour(from, to) do
    from(b in "bookings",
      where: b.starts_at >= ^from and b.starts_at < ^to,
      group_by: fragment("extract(hour from starts_at)"),
      select: {fragment("extract(hour from starts_at)"), count(b.id), sum(b.price)}
    )
    |> Repo.all()
  end

  def plans do
    Repo.query!("""
    SELECT json_value(a.settings, 'billing.plan') AS plan, count(*)
      FROM accounts a
     GROUP BY 1
     ORDER BY 2 DESC
    """)
  end

  def locales do
    Repo.query!("""
    SELECT public.json_value(a.settings, 'ui.locale') AS locale, count(*)
      FROM accounts a
     GROUP BY 1
    """)
  end

  def latest(page) do
    sql =
      "SELECT id, price FROM bookings WHERE ends_at > now() - interval '90d'" <>
        " ORDER BY id DESC LIMIT #{@page_size} OFFSET $1"

    Repo.query!(sql, [page * @page_size])
  end

  def open_invoices(account_id) do
    Repo.query!(
      "SELECT b.id, b.price FROM bookings b" <>
        " WHERE b.price > 0AND b.account_id = $1" <>
        " ORDER BY b.ends_at",
      [account_id]
    )
  end
end
