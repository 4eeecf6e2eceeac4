import { Controller, Get } from '@nestjs/common';
import { DataSource } from 'typeorm';

@Controller('health')
export class HealthController {
  constructor(private readonly dataSource: DataSource) {}

  @Get()
  async check() {
    const [row] = await this.dataSource.query(
      "SELECT current_database() AS database, current_setting('lc_messages') AS messages," +
        " current_setting('lc_collate') AS collation",
    );
    return { status: 'ok', ...row };
  }
}
