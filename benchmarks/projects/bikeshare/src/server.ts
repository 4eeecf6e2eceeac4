import Fastify from 'fastify';
import { stationsInZone, stationsByPrefix } from './repositories/stations';
import { hourlyDemand, listRentals } from './repositories/rentals';
import { health } from './admin/health';
import { metrics } from './admin/metrics';

const app = Fastify({ logger: true });

app.get('/zones/:code/stations', async (request) => {
  const { code } = request.params as { code: string };
  return stationsInZone(code);
});

app.get('/stations', async (request) => {
  const { prefix } = request.query as { prefix: string };
  return stationsByPrefix(prefix);
});

app.get('/demand/:station', async (request) => {
  const { station } = request.params as { station: string };
  return hourlyDemand(Number(station));
});

app.get('/rentals', async (request) => {
  const { rider, page } = request.query as { rider: string; page?: string };
  return listRentals(BigInt(rider), Number(page ?? 0));
});

app.get('/healthz', health);
app.get('/metrics', metrics);

app.listen({ port: Number(process.env.PORT ?? 8080), host: '0.0.0.0' });
