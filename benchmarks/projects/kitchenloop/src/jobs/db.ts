import { Sequelize } from "sequelize";

export const sequelize = new Sequelize(process.env.DATABASE_URL ?? "postgres://kitchen@localhost/kitchenloop", {
  dialect: "postgres",
  logging: false,
  pool: { max: 4 },
});
