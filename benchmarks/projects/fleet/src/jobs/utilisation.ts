import { pool } from '../db/pool';
import { logger } from '../lib/logger';

const UTILISATION = `
  SELECT v.plate,
         sum(t.distance_km) AS km,
         count(DISTINCT t.started_at::date) AS days
    FROM fleet.vehicles v
    JOIN fleet.trips t ON t.vehicle_id = v.id
   WHERE t.started_at >= date_trunc('month', now()) - interval '1 month'
     AND t.started_at < date_trunc('month', now())
   GROUP BY v.plate
   ORDER BY km DESC`;

async function main() {
  const { rows } = await pool.query(UTILISATION);
  for (const row of rows) {
    logger.info({ plate: row.plate, km: row.km, days: row.days }, 'utilisation');
  }
  await pool.end();
}

main().catch((error) => {
  logger.error(error);
  process.exit(1);
});
