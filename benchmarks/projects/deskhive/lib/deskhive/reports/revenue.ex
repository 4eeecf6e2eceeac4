defmodule Deskhive.Reports.Revenue do
  @moduledoc "Monthly figures for the finance team."

  alias Deskhive.Repo

  def monthly(from, to) do
    Repo.rows_as_maps(
      """
      SELECT l.slug,
             date_trunc('month', i.issued_on::timestamp) AS month,
             sum(i.net) AS net,
             sum(i.gross) AS gross,
             count(*) FILTER (WHERE i.paid_at IS NULL AND i.due_on < current_date) AS overdue
        FROM invoices i
        JOIN memberships m ON m.id = i.membership_id
        JOIN locations l ON l.id = m.location_id
       WHERE i.issued_on BETWEEN $1 AND $2
       GROUP BY l.slug, date_trunc('month', i.issued_on::timestamp)
       ORDER BY 2, 1
      """,
      [from, to]
    )
  end

  @doc "Who books most, with the address of the account that answers for it."
  def top_bookers(limit) do
    Repo.rows_as_maps(
      """
      SELECT u.full_name, count(*) AS bookings, sum(b.price) AS spent,
             max(u.email::text) AS system_user
        FROM bookings b
        JOIN users u ON u.id = b.user_id
       WHERE b.status IN ('confirmed', 'checked_in')
       GROUP BY u.id
       ORDER BY 2 DESC
       LIMIT $1
      """,
      [limit]
    )
  end

  def occupancy(location_id, from, to) do
    Repo.rows_as_maps(
      """
      SELECT day, spaces_used, revenue,
             round(100.0 * spaces_used / nullif((SELECT count(*) FROM spaces WHERE location_id = $1), 0), 1) AS percent
        FROM occupancy_by_day
       WHERE location_id = $1 AND day BETWEEN $2 AND $3
       ORDER BY day
      """,
      [location_id, from, to]
    )
  end
end
