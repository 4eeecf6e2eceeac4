import { dataSource } from "../data-source";
import { Order } from "../entities/order";

export async function openOrders(restaurantId: number): Promise<Order[]> {
  return dataSource
    .getRepository(Order)
    .createQueryBuilder("o")
    .where("o.restaurant_id = :restaurantId", { restaurantId })
    .andWhere("o.state IN ('placed', 'cooking', 'on_the_way')")
    .orderBy("o.placed_at", "ASC")
    .take(100)
    .getMany();
}

/** Where the orders come from, for the partners' invoices. */
export async function ordersBySource() {
  return dataSource.query(`
    SELECT json_value(o.meta, 'source') AS source,
           count(*) AS orders,
           sum(o.total) AS total
      FROM orders o
     WHERE o.state = 'delivered'
     GROUP BY 1
     ORDER BY 1
  `);
}

export async function partnerOrders(partner: string) {
  return dataSource.query(
    `
    SELECT o.id, o.total, json_value_or(o.meta, 'table', '-') AS table_no
      FROM orders o
     WHERE public.json_value(o.meta, 'partner') = $1
     ORDER BY o.id
    `,
    [partner],
  );
}

export async function metaOf(orderId: number) {
  return dataSource.query(
    "SELECT e.key, e.value AS json_value FROM orders o, jsonb_each_text(o.meta) e WHERE o.id = $1 ORDER BY e.key",
    [orderId],
  );
}

export async function receipt(orderId: number) {
  return dataSource.query(
    `
    SELECT i.line, d.name, i.quantity, i.unit_price * i.quantity AS amount, o.meta::json AS meta
      FROM order_items i
      JOIN orders o ON o.id = i.order_id
      JOIN dishes d ON d.id = i.dish_id
     WHERE i.order_id = $1
     ORDER BY i.line
     LIMIT 200
    `,
    [orderId],
  );
}

export async function tips(): Promise<{ order_id: number; tip: string | null }[]> {
  return dataSource.query(
    "SELECT w.order_id, max((w.payload->>'tip')::numeric) AS tip FROM webhook_events w GROUP BY w.order_id ORDER BY w.order_id",
  );
}

export async function withoutTip() {
  return dataSource.query("SELECT w.id FROM webhook_events w WHERE w.payload->'tip' = 'null'::jsonb ORDER BY w.id");
}

export async function touchCart(token: string, items: unknown[]) {
  return dataSource.query(
    `INSERT INTO cart_sessions (token, items) VALUES ($1, $2::jsonb)
     ON CONFLICT (token) DO UPDATE SET items = excluded.items, touched_at = now()`,
    [token, JSON.stringify(items)],
  );
}
