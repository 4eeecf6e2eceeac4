import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

@Injectable()
export class TimeZonesService {
  constructor(private readonly dataSource: DataSource) {}

  names(): Promise<Array<{ name: string; utc_offset: string }>> {
    return this.dataSource.query(
      "SELECT name, utc_offset FROM pg_timezone_names() WHERE name NOT LIKE 'posix%' ORDER BY name",
    );
  }

  abbreviations(): Promise<Array<{ abbrev: string }>> {
    return this.dataSource
      .createQueryBuilder()
      .select('z.abbrev', 'abbrev')
      .addSelect('z.utc_offset', 'utcOffset')
      .from('(SELECT abbrev, utc_offset FROM pg_timezone_abbrevs())', 'z')
      .orderBy('z.abbrev')
      .getRawMany();
  }
}
