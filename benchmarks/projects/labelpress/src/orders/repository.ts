import { Prisma } from '@prisma/client';
import { prisma } from '../lib/db';

export type OrderRow = {
  id: number;
  reference: string;
  status: string;
  customer: string;
  due_on: Date | null;
  total: Prisma.Decimal;
};

export async function openOrders(limit = 50): Promise<OrderRow[]> {
  return prisma.$queryRaw<OrderRow[]>`
    SELECT o.id, o.reference, o.status::text, c.name AS customer, o.due_on, o.total
      FROM label_orders o
      JOIN customers c ON c.id = o.customer_id
     WHERE o.status NOT IN ('shipped', 'cancelled')
     ORDER BY o.due_on NULLS LAST, o.id
     LIMIT ${limit}`;
}

export async function orderByReference(reference: string) {
  return prisma.$queryRaw<OrderRow[]>`
    SELECT o.id, o.reference, o.status::text, c.name AS customer, o.due_on, o.total
      FROM label_orders o
      JOIN customers c ON c.id = o.customer_id
     WHERE reference_key(o.reference) = reference_key(${reference})`;
}

export async function turnoverByQuarter(year: number) {
  return prisma.$queryRaw<{ quarter: number; turnover: Prisma.Decimal }[]>`
    SELECT extract(quarter FROM o.placed_at)::int AS quarter, sum(o.total) AS turnover
      FROM label_orders o
     WHERE extract(year FROM o.placed_at) = ${year}
     GROUP BY 1
     ORDER BY 1`;
}

export async function repeatOf(orderId: number, reference: string): Promise<number> {
  return prisma.$transaction(async (tx) => {
    const [order] = await tx.$queryRaw<{ id: number }[]>`
      INSERT INTO label_orders (customer_id, reference, remark)
      SELECT customer_id, ${reference}, 'repeat of ' || reference FROM label_orders WHERE id = ${orderId}
      RETURNING id`;
    await tx.$executeRaw`
      INSERT INTO order_lines (order_id, artwork_id, material_id, die_id, sku, print_text, quantity, unit_price, winding, spec)
      SELECT ${order.id}, artwork_id, material_id, die_id, sku, print_text, quantity, unit_price, winding, spec
        FROM order_lines
       WHERE order_id = ${orderId}`;
    return order.id;
  });
}

/** Lines with their spec, for the job ticket. */
export async function jobTicket(orderId: number) {
  return prisma.$queryRaw`
    SELECT l.id, l.sku, l.quantity, d.code AS die, m.name AS material,
           public.json_value(l.spec, 'finish') AS finish,
           (l.spec ->> 'core_mm')::int AS core_mm
      FROM order_lines l
      JOIN dies d ON d.id = l.die_id
      JOIN materials m ON m.id = l.material_id
     WHERE l.order_id = ${orderId}
     ORDER BY l.id`;
}

/** Proofs nobody has answered, with the days they wait. */
export async function overdueProofs(days: number) {
  return prisma.$queryRaw`
    SELECT p.id, o.reference, p.sent_at
      FROM proofs p
      JOIN order_lines l ON l.id = p.order_line_id
      JOIN label_orders o ON o.id = l.order_id
     WHERE p.answered_at IS NULL
       AND p.sent_at < now() - make_interval(days => ${days})
     ORDER BY p.sent_at, p.id`;
}

/** The words that customers print most, for the autocompletion of the editor. */
export async function popularWords() {
  return prisma.$queryRaw<{ lexeme: string; uses: number }[]>`
    SELECT w.lexeme, count(*)::int AS uses
      FROM order_lines l
      CROSS JOIN LATERAL unnest(to_tsvector('dutch', l.print_text)) AS w
     GROUP BY w.lexeme
     ORDER BY uses DESC, w.lexeme
     LIMIT 30`;
}

export async function ordersWithWord(word: string) {
  return prisma.$queryRaw`
    SELECT DISTINCT o.id, o.reference
      FROM label_orders o
      JOIN order_lines l ON l.order_id = o.id
     WHERE to_tsvector('simple', l.print_text) @@ plainto_tsquery('simple', ${word})
     ORDER BY o.id`;
}

export async function customersByLanguage() {
  return prisma.$queryRaw`
    SELECT c.id, c.name, CASE c.language WHEN 'dutch' THEN 'nl' ELSE 'en' END AS locale
      FROM customers c
     ORDER BY c.id`;
}
