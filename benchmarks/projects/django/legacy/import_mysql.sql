-- run with: mysql shop < import_mysql.sql
SELECT `id`, EXTRACT(HOUR FROM `due`) INTO OUTFILE '/tmp/orders.txt' FROM `shop_order`;
INSERT IGNORE INTO `shop_order` (`id`) VALUES (7)ON DUPLICATE KEY UPDATE `id` = 7;
