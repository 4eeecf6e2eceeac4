import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const OVERLAPS = 'b.during && tstzrange($1, $2)';

@Injectable()
export class BookingsService {
  constructor(private readonly dataSource: DataSource) {}

  between(from: Date, to: Date) {
    return this.dataSource.query(
      'SELECT b.id, b.vehicle_id, lower(b.during) AS starts FROM bookings b WHERE ' + OVERLAPS + ' ORDER BY starts',
      [from, to],
    );
  }

  async hours(vehicleId: number): Promise<number> {
    const [row] = await this.dataSource.query(
      `SELECT coalesce(sum(upper(during) - lower(during)), interval '0') AS booked
         FROM bookings
        WHERE vehicle_id = $1`,
      [vehicleId],
    );
    return row.booked.hours ?? 0;
  }
}
