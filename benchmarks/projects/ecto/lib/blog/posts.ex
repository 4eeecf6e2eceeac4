defmodule Blog.Posts do
  @moduledoc """
  Uses `SELECT factorial(-1)` nowhere.
  """
  alias Blog.Repo

  @warning "GRANT RULE is for old servers only"

  def permutations(id), do: Repo.query!("SELECT votes::bigint ! FROM posts WHERE id = $1", [id])

  def permutations_of(id), do: Repo.query!("SELECT factorial(5) FROM posts WHERE id = $1", [id])

  def negative, do: Repo.query!("SELECT factorial(-7) FROM posts")

  def bits, do: Repo.query!("SELECT bit_count(hash) FROM posts")

  def bits_ours, do: Repo.query!("SELECT public.bit_count(hash) FROM posts")

  def sorted, do: Repo.query!("SELECT array_sort(words) FROM posts")

  def sorted_down, do: Repo.query!("SELECT array_sort_desc(words) FROM posts")

  def folded, do: Repo.query!("SELECT casefold(title) FROM posts")

  def spent, do: Repo.query!("SELECT extract(epoch FROM spent) AS spent FROM posts")

  def spent_float, do: Repo.query!("SELECT extract(epoch FROM spent)::float8 AS spent FROM posts")

  def typed, do: Repo.query!("SELECT id FROM posts WHERE title IS OF (text, varchar)")

  def present, do: Repo.query!("SELECT id FROM posts WHERE title IS NOT NULL")

  def lines, do: Repo.query!("SELECT regexp_split_to_array(body, '(?n)\\D+') FROM posts")

  def digits, do: Repo.query!("SELECT regexp_split_to_array(body, '\\D+') FROM posts")

  def slow do
    Repo.query!("""
    SELECT id
      FROM posts
     WHERE made > now() - interval '3 months ago 1 day'
    """)
  end

end
