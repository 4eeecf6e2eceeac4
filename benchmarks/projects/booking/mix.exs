defmodule Booking.MixProject do
  use Mix.Project

  def project do
    [app: :booking, version: "2.4.0", elixir: "~> 1.14", deps: deps()]
  end

  def application, do: [extra_applications: [:logger]]

  defp deps do
    [{:ecto_sql, "~> 3.11"}, {:postgrex, "~> 0.17"}]
  end
end
