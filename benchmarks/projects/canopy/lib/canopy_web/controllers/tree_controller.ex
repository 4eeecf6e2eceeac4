defmodule CanopyWeb.TreeController do
  use CanopyWeb, :controller

  alias Canopy.Inventory

  def index(conn, %{"street" => street}) do
    render(conn, "index.json", trees: Inventory.on_street(street))
  end

  def hazards(conn, %{"id" => id}) do
    json(conn, %{hazards: Inventory.hazards(String.to_integer(id))})
  end
end
