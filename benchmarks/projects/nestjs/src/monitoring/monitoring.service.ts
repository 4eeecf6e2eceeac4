import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { BLOCKED, CHECKPOINTS, CLEANER, PINNED, VACUUMS, WAL } from './database.queries';

@Injectable()
export class MonitoringService {
  readonly gauges = new Map<string, unknown>();

  constructor(private readonly dataSource: DataSource) {}

  @Cron(CronExpression.EVERY_MINUTE)
  async collect(): Promise<void> {
    for (const [name, sql] of Object.entries({ BLOCKED, CHECKPOINTS, CLEANER, PINNED, VACUUMS, WAL })) {
      this.gauges.set(name, await this.dataSource.query(sql));
    }
  }

  async readTimes() {
    const [{ version }] = await this.dataSource.query(
      "SELECT current_setting('server_version_num')::int AS version",
    );
    if (version < 170000) {
      return this.dataSource.query('SELECT sum(blk_read_time) AS ms FROM pg_stat_statements');
    }
    return this.dataSource.query('SELECT sum(shared_blk_read_time) AS ms FROM pg_stat_statements');
  }
}
