-- labels now show the depot as well
DROP FUNCTION IF EXISTS depot_label(text);
DROP FUNCTION IF EXISTS bogie_spacing;
DROP FUNCTION IF EXISTS wagon_label;

CREATE FUNCTION wagon_label(wagon integer, with_depot boolean) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT w.uic_number || ' (' || w.kind || ')' || CASE WHEN with_depot THEN ' ' || d.code ELSE '' END
      FROM wagons w JOIN depots d ON d.id = w.depot_id
     WHERE w.id = wagon
$$;
