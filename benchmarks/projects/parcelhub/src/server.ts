import express from 'express';
import pino from 'pino';
import { relationKinds, relations } from './admin/inventory';
import { withContext } from './db/tenant';
import { dueParcels, promisedAt } from './services/delivery';
import { devicesOfHub } from './services/devices';
import { dockBoard, findParcel, searchNotes } from './services/search';

const log = pino();
const app = express();
app.use(express.json());

app.get('/hubs/:id/due', async (req, res) => res.json(await dueParcels(Number(req.params.id))));
app.get('/hubs/:id/devices', async (req, res) => res.json(await devicesOfHub(Number(req.params.id))));
app.get('/parcels/:no', async (req, res) => {
  const parcel = await findParcel(req.params.no);
  if (!parcel) return res.status(404).end();
  return res.json({ ...parcel, promised: await promisedAt(parcel.id) });
});
app.get('/notes', async (req, res) => res.json(await searchNotes(String(req.query.q ?? ''))));
app.get('/board', async (_req, res) => res.json(await dockBoard()));
app.get('/admin/database', async (_req, res) =>
  res.json({ relations: await relations(), kinds: await relationKinds() }),
);

app.post('/claims', async (req, res) => {
  const ctx = { tenant: String(req.header('x-tenant')), requestId: String(req.header('x-request-id')), actor: 'api' };
  const id = await withContext(ctx, async (client) => {
    const { rows } = await client.query(
      'INSERT INTO claims (parcel_id, reason, amount, opened_on) VALUES ($1, $2, $3, current_date) RETURNING id',
      [req.body.parcel, req.body.reason, req.body.amount],
    );
    return rows[0].id;
  });
  res.status(201).json({ id });
});

app.listen(Number(process.env.PORT ?? 8080), () => log.info('parcelhub is listening'));
