import { QueryTypes } from "sequelize";
import { sequelize } from "./db";

const LATE = `
  SELECT o.restaurant_id, count(*) AS late
    FROM orders o
   WHERE o.delivered_at > o.promised_at
     AND o.placed_at >= :since
   GROUP BY o.restaurant_id
   ORDER BY o.restaurant_id
`;

export async function lateDeliveries(since: Date) {
  return sequelize.query(LATE, { replacements: { since }, type: QueryTypes.SELECT });
}

export async function refreshScores() {
  await sequelize.query("REFRESH MATERIALIZED VIEW CONCURRENTLY restaurant_scores");
}

export async function courierKilometres(day: string) {
  return sequelize.query(
    "SELECT s.courier_id, s.km, s.per_ride FROM shift_totals s WHERE s.day = :day ORDER BY s.courier_id",
    { replacements: { day }, type: QueryTypes.SELECT },
  );
}

export async function bestRated() {
  return sequelize.query(
    "SELECT r.name, r.votes, half_stars(r.score) AS stars FROM restaurant_scores r ORDER BY r.score DESC, r.id LIMIT 10",
    { type: QueryTypes.SELECT },
  );
}

export async function forgetCarts() {
  await sequelize.query("DELETE FROM cart_sessions WHERE touched_at < now() - interval '3 days'");
}

export async function promoCodes(today: string) {
  return sequelize.query(
    "SELECT p.code, p.percent FROM promo_codes p WHERE :today::date >= p.starts_on AND :today::date < p.starts_on + p.runs ORDER BY p.code",
    { replacements: { today }, type: QueryTypes.SELECT },
  );
}

export async function newWeek(first: string, last: string) {
  const name = `courier_pings_${first.replace(/-/g, "")}`;
  await sequelize.query(`CREATE UNLOGGED TABLE IF NOT EXISTS ${name} PARTITION OF courier_pings FOR VALUES FROM ('${first}') TO ('${last}')`);
}
