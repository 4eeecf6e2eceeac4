import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

@Injectable()
export class LeasesService {
  private readonly logger = new Logger(LeasesService.name);

  constructor(private readonly dataSource: DataSource) {}

  async ownerOf(address: string): Promise<number | null> {
    const rows = await this.dataSource.query(
      'SELECT vehicle_id FROM modem_leases WHERE address = $1 AND leased @> now()',
      [address],
    );
    if (rows.length === 0) {
      this.logger.warn(`no lease of ${address}: see pg_timezone_abbrevs() if the clock is off`);
      return null;
    }
    return rows[0].vehicle_id;
  }
}
