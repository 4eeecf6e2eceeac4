import { MigrationInterface, QueryRunner } from 'typeorm';

export class FuelReport1719000000000 implements MigrationInterface {
  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE VIEW fuel_by_month AS
        SELECT vehicle_id,
               extract(year FROM taken_at) AS year,
               extract(month FROM taken_at) AS month,
               min(fuel) AS lowest,
               avg(fuel) AS average
          FROM readings
         GROUP BY 1, 2, 3
    `);
    await queryRunner.query(`COMMENT ON VIEW fuel_by_month IS 'vacuum_defer_cleanup_age keeps its reports stable'`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP VIEW fuel_by_month`);
  }
}
