import { pool } from '../db/pool';
import { refreshOccupancy, refreshSurcharges } from '../reports/occupancy';

export async function nightly(): Promise<void> {
  await refreshOccupancy();
  await refreshSurcharges();
  await pool.query(`
    UPDATE bookings
       SET status = 'departed'
     WHERE status = 'arrived' AND departs < current_date
  `);
  // pages that sort by it need fresh numbers for names
  await pool.query('ALTER TABLE boats ALTER COLUMN name SET STATISTICS 500');
  await pool.query('ANALYZE boats');
}

if (require.main === module) {
  nightly()
    .then(() => pool.end())
    .catch((error) => {
      console.error('nightly failed', error);
      process.exit(1);
    });
}
