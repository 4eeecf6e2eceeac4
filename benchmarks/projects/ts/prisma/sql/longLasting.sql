-- @param {DateTime} $1:since
SELECT id FROM "User" WHERE "createdAt" > $1 AND lasts > interval '0.99 years';
SELECT id FROM "User" WHERE "createdAt" > $1 AND lasts > interval '0.25 years';
