INSERT INTO members (id, name, email, phone, interests) VALUES
  (1, 'Anke Feldhoff', 'anke@hivebook.example', '+49 5251 88-120', 'queens, wax'),
  (2, 'Piet Visser', 'piet@hivebook.example', '0291/4471', NULL),
  (3, 'Maria Conti', 'maria@hivebook.example', NULL, 'mead');

INSERT INTO apiaries (id, member_id, name, location, zone, postcode) VALUES
  (1, 1, 'Lindenhof', '(8.75,51.71)', '((8.70,51.68),(8.70,51.75),(8.80,51.75),(8.80,51.68))', '33098'),
  (2, 2, 'Heide', '(8.28,51.35)', '((8.20,51.30),(8.20,51.40),(8.35,51.40),(8.35,51.30))', '59872'),
  (3, 3, 'Am Kanal', '(8.61,51.66)', NULL, '33154');

INSERT INTO hives (id, apiary_id, label, queen_year, traits, tags, frames) VALUES
  (1, 1, 'L-01', 2022, 'race=>carnica, temper=>calm', '{swarm,young}', 10),
  (2, 1, 'L-02', 2021, 'race=>buckfast', '{}', 11),
  (3, 2, 'H-01', 2023, 'race=>carnica', '{moved}', 10);

INSERT INTO inspections (hive_id, inspected_at, notes, mites) VALUES
  (1, '2023-04-11 10:00', 'Three frames of brood. varroa count on the board, seven in three days', 7),
  (1, '2023-07-02 18:30', 'Count of stores fine, no varroa treatment yet', 19),
  (2, '2023-07-03 09:15', 'Brood frame moved to H-01, queen not seen', 4),
  (3, '2023-08-20 17:00', 'varroa board lost, count impossible', NULL);

INSERT INTO harvests (hive_id, harvested_on, kilos, water_percent) VALUES
  (1, '2022-06-20', 14.50, 17.2),
  (1, '2023-06-18', 18.25, 16.9),
  (2, '2023-06-18', 9.75, 17.8),
  (3, '2023-08-28', 21.00, 18.1);

INSERT INTO treatments (hive_id, substance, started_on, waiting) VALUES
  (1, 'formic acid', '2023-07-20', '14 days'),
  (2, 'oxalic acid', '2023-12-10', '1 mon');

INSERT INTO site_settings (key, value, factorial) VALUES
  ('lc_collate', 'de_DE', NULL),
  ('yield_model', 'poisson', 5);
