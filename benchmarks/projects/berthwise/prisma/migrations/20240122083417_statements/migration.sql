CREATE FUNCTION "open_statement"(p_owner uuid) RETURNS refcursor
LANGUAGE plpgsql AS $$
DECLARE
    statement_cur CURSOR FOR
        SELECT k."id", k."arrives", k."departs"
          FROM "bookings" k
          JOIN "boats" b ON b."id" = k."boat_id"
         WHERE b."owner_id" = p_owner
         ORDER BY k."arrives";
BEGIN
    OPEN statement_cur;
    RETURN statement_cur;
END
$$;

CREATE FUNCTION "open_ledger"(ledger_cur refcursor, p_marina uuid) RETURNS refcursor
LANGUAGE plpgsql AS $$
BEGIN
    OPEN ledger_cur FOR
        SELECT t."label", t."price" FROM "tariffs" t WHERE t."marina_id" = p_marina ORDER BY t."price";
    RETURN ledger_cur;
END
$$;

CREATE FUNCTION "nights_booked"(p_boat uuid) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    stays CURSOR FOR SELECT k."departs" - k."arrives" AS n FROM "bookings" k WHERE k."boat_id" = p_boat;
    total integer := 0;
    stay record;
BEGIN
    OPEN stays;
    LOOP
        FETCH NEXT FROM stays INTO stay;
        EXIT WHEN NOT FOUND;
        total := total + stay.n;
    END LOOP;
    CLOSE stays;
    RETURN total;
END
$$;
