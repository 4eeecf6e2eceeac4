ALTER TABLE sensors ADD COLUMN notes text;
CREATE SEQUENCE batch_numbers START 100;
CREATE VIEW sensor_defaults AS
    SELECT a.attname, d.adsrc
      FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
     WHERE d.adrelid = 'sensors'::regclass;
COMMENT ON VIEW sensor_defaults IS 'was built on pg_constraint.consrc';
CREATE TABLE audit (who name DEFAULT current_user, consrc text, proisagg boolean);
