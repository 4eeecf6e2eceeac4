defmodule Deskhive.Memberships do
  @moduledoc "Plans, notice periods and renewals."

  import Ecto.Query
  alias Deskhive.Repo

  @doc """
  Memberships that get the renewal offer: they have run for nine tenths of a year, and have no end.
  """
  def due_for_renewal_offer(today \\ Date.utc_today()) do
    from(m in "memberships",
      where: is_nil(m.ends_on),
      where: fragment("? + interval '0.9 years' <= ?", m.starts_on, ^today),
      order_by: m.starts_on,
      select: %{id: m.id, user_id: m.user_id, plan: m.plan, starts_on: m.starts_on}
    )
    |> Repo.all()
  end

  @doc "Long-standing members for the anniversary mail."
  def anniversaries(location_id) do
    from(m in "memberships",
      where: m.location_id == ^location_id,
      where: fragment("? + interval '2.5 years' <= current_date", m.starts_on),
      select: %{id: m.id, user_id: m.user_id}
    )
    |> Repo.all()
  end

  @doc "The last day of the trial: working days only."
  def trial_end(membership_id, working_days) do
    %{rows: [[day]]} =
      Repo.query!(
        "SELECT date_add(m.starts_on, $2::int) FROM memberships m WHERE m.id = $1",
        [membership_id, working_days]
      )

    day
  end

  def by_badge(code) do
    Repo.rows_as_maps(
      """
      SELECT m.id, m.user_id, m.location_id
        FROM memberships m
       WHERE crc32(m.badge_code) = crc32($1::text)
         AND m.badge_code = $1
      """,
      [code]
    )
  end

  def with_notice_of(location_id, label) do
    Repo.rows_as_maps(
      "SELECT id, user_id FROM memberships WHERE location_id = $1 AND notice_period = $2::interval",
      [location_id, label]
    )
  end
end
