import { pool } from '../db';

export interface BikeModel {
  id: number;
  serial: string;
  model: string | null;
  gears: number | null;
}

export async function bikesByModel(model: string): Promise<BikeModel[]> {
  const { rows } = await pool.query<BikeModel>({
    name: 'bikes-by-model',
    text: `
      SELECT id, serial,
             public.json_value(meta, 'model') AS model,
             (meta ->> 'gears')::int AS gears
        FROM bikes
       WHERE meta ->> 'model' = $1
    `,
    values: [model],
  });
  return rows;
}

export async function tiresDue(): Promise<{ serial: string; tires: string }[]> {
  const { rows } = await pool.query(
    [
      'SELECT serial,',
      "       json_value(meta, 'tires') AS tires",
      '  FROM bikes',
      ' WHERE status = 1',
    ].join('\n'),
  );
  return rows;
}
