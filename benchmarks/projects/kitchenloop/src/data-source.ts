import { DataSource } from "typeorm";
import { Dish } from "./entities/dish";
import { Order } from "./entities/order";
import { Restaurant } from "./entities/restaurant";

export const dataSource = new DataSource({
  type: "postgres",
  url: process.env.DATABASE_URL ?? "postgres://kitchen@localhost/kitchenloop",
  entities: [Dish, Order, Restaurant],
  synchronize: false,
  applicationName: "kitchenloop-api",
});
