import { dataSource } from "../data-source";

/** How long the kitchen needs: the restaurants fill in minutes. */
export async function kitchenTimes() {
  return dataSource.query(
    `
    SELECT d.id, d.name,
           (d.prep_time || ' minutes')::interval AS cooking,
           (d.pack_minutes || ' minutes')::interval AS packing
      FROM dishes d
     ORDER BY d.id
    `,
  );
}

export async function slowest(orderId: number) {
  return dataSource.query(
    `SELECT max(make_interval(mins => d.pack_minutes)) AS packing
       FROM order_items i
       JOIN dishes d ON d.id = i.dish_id
      WHERE i.order_id = $1`,
    [orderId],
  );
}

export async function recentOrders(restaurantId: number) {
  return dataSource.query(
    `SELECT o.id, o.state FROM orders o
      WHERE o.restaurant_id = $1 AND o.placed_at > timestamptz '2024-06-12 18:00+02' + interval '7 days ago'
      ORDER BY o.id`,
    [restaurantId],
  );
}

export async function loyaltyUntil() {
  return dataSource.query(
    `SELECT l.customer_id, l.since + l.lasts AS until, l.since + interval '1.5 years' AS renew
       FROM loyalty l ORDER BY l.customer_id`,
  );
}
