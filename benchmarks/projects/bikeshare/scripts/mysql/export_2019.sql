-- rentals of the old shop, for the accountants (MySQL 5.7)
SELECT r.id, EXTRACT(HOUR FROM r.rented_on) AS hour
  FROM `rentals` r
 WHERE r.`year` = 2019
 LIMIT 100000;
