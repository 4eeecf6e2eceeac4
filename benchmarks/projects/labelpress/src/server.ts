import Fastify from 'fastify';
import { z } from 'zod';
import { closeAll } from './lib/db';
import { history } from './orders/audit';
import { jobTicket, openOrders, orderByReference, popularWords, repeatOf } from './orders/repository';
import { comparableLines, finishShare } from './orders/quotes';
import { customerOptions, materialOptions } from './catalog/search';
import { expiringRolls } from './catalog/stock';
import { plan } from './jobs/press-plan';
import { samples } from './ops/metrics';

const app = Fastify({ logger: true });

const idParams = z.object({ id: z.coerce.number().int().positive() });

app.get('/orders', async () => openOrders());
app.get('/orders/by-reference/:reference', async (request) => {
  const { reference } = z.object({ reference: z.string().min(3) }).parse(request.params);
  return orderByReference(reference);
});
app.get('/orders/:id/history', async (request) => history('label_orders', idParams.parse(request.params).id));
app.get('/orders/:id/ticket', async (request) => jobTicket(idParams.parse(request.params).id));
app.post('/orders/:id/repeat', async (request, reply) => {
  const { id } = idParams.parse(request.params);
  const { reference } = z.object({ reference: z.string() }).parse(request.body);
  reply.code(201);
  return { id: await repeatOf(id, reference) };
});

app.get('/words', async () => popularWords());
app.get('/materials', async () => materialOptions());
app.get('/customers', async (request) => {
  const { q } = z.object({ q: z.string().default('') }).parse(request.query);
  return customerOptions(q);
});
app.get('/finishes/share', async () => finishShare());
app.post('/quotes/comparable', async (request) => {
  const input = z
    .object({ materialId: z.number(), dieId: z.number(), quantity: z.number(), finish: z.string().optional() })
    .parse(request.body);
  return comparableLines(input);
});

app.get('/stock/expiring', async () => expiringRolls(60));
app.get('/plan/:day', async (request) => {
  const { day } = z.object({ day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/) }).parse(request.params);
  return plan(day);
});
app.get('/ops/samples', async () => samples());

app.addHook('onClose', closeAll);

app.listen({ port: Number(process.env.PORT ?? 8080), host: '0.0.0.0' }).catch((error) => {
  app.log.error(error);
  process.exit(1);
});
