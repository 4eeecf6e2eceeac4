INSERT INTO restaurants (id, name, city, lang) VALUES
    (1, 'Piñata Roja', 'Gent', 'spanish'), (2, 'The Green Pan', 'Gent', 'english'), (3, 'Café Brûlot', 'Brugge', 'french');
INSERT INTO menu_sections (id, restaurant_id, parent, level, title) VALUES
    (1, 1, NULL, 0, 'Tacos'), (2, 2, NULL, 0, 'Bowls'), (3, 2, 2, 1, 'Warm bowls'), (4, 3, NULL, 0, 'Desserts');
INSERT INTO dishes (id, section_id, name, description, price, prep_time, pack_minutes, allergens) VALUES
    (1, 1, 'Taco al pastor', 'Pork, pineapple, coriander', 4.20, '12', 1, '{gluten,soy,gluten}'),
    (2, 1, 'Jalapeño poppers', 'Breaded, with cheese', 6.50, '15', 2, '{milk,gluten,egg}'),
    (3, 3, 'Lentil bowl', 'No added sugar', 9.80, '20 min', 2, '{sesame,celery}'),
    (4, 2, 'Açaí bowl', 'Berries, granola', 8.40, '8', 2, '{nuts,milk}'),
    (5, 4, 'Crème brûlée', 'With vanilla', 5.90, '25 min', 3, '{milk,egg}');
INSERT INTO customers (id, email, full_name, phone, joined_on) VALUES
    (1, 'Lena@example.be', 'Lena Maes', '+32 470 55 01 01', '2022-03-14'), (2, 'tom@example.be', 'Tom De Smet', '0470 55 01 02', '2023-11-30'), (3, 'noor@example.be', 'Noor Haddad', NULL, '2024-02-29');
INSERT INTO addresses (id, customer_id, street, city, door_code) VALUES
    (1, 1, 'St. Pietersnieuwstr. 12', 'Gent', '4512'), (2, 2, 'Langestraat 88', 'Brugge', NULL), (3, 3, 'Rue de l''Été 3', 'Gent', '0001');
INSERT INTO couriers (id, full_name, vehicle, zones) VALUES (1, 'Bram V.', 'bike', '{9000,9030}'), (2, 'Ines K.', 'scooter', '{8000}');
INSERT INTO orders (id, customer_id, restaurant_id, address_id, state, placed_at, promised_at, delivered_at, subtotal, meta) VALUES
    (1, 1, 1, 1, 'delivered', '2024-06-07 18:02+02', '2024-06-07 18:45+02', '2024-06-07 18:41+02', 15.10, '{"source": "app", "table": null}'),
    (2, 2, 3, 2, 'delivered', '2024-06-08 20:15+02', '2024-06-08 21:00+02', '2024-06-08 21:20+02', 11.80, '{"source": "partner", "partner": "bistrolink"}'),
    (3, 3, 2, 3, 'cooking', '2024-06-12 12:01+02', '2024-06-12 12:50+02', NULL, 18.20, '{"source": "web"}'),
    (4, 1, 2, 1, 'cart', NULL, NULL, NULL, 9.80, '{}');
INSERT INTO order_items VALUES (1, 1, 1, 2, 4.20, NULL), (1, 2, 2, 1, 6.50, 'no egg'), (2, 1, 5, 2, 5.90, NULL), (3, 1, 3, 1, 9.80, NULL), (3, 2, 4, 1, 8.40, 'no nuts'), (4, 1, 3, 1, 9.80, NULL);
INSERT INTO deliveries (id, order_id, courier_id, picked_up_at, handed_over_at) VALUES
    (1, 1, 1, '2024-06-07 18:25+02', '2024-06-07 18:41+02'), (2, 2, 2, '2024-06-08 20:52+02', '2024-06-08 21:20+02');
INSERT INTO ratings (order_id, stars, remark, rated_at) VALUES (1, 5, 'still hot', '2024-06-07 19:30+02'), (2, 2, NULL, '2024-06-09 10:00+02');
INSERT INTO promo_codes VALUES ('HELLO10', 10.0, '2024-06-01', '1 month'), ('SUMMER', 15.0, '2024-07-01', '62 days');
INSERT INTO cart_sessions VALUES ('7a0e3f52-6f7b-4a54-9be3-1c2d7c0a9a11', 1, '[{"dish": 3, "quantity": 1}]', '2024-06-12 11:58+02');
INSERT INTO loyalty VALUES (1, 120, '2022-03-14'), (2, 15, '2023-11-30');
INSERT INTO payments (id, order_id, amount, tip, method, paid_at) VALUES (1, 1, 18.00, 2.00, 'card', '2024-06-07 18:03+02'), (2, 2, 14.70, 0, 'wallet', '2024-06-08 20:16+02');
INSERT INTO webhook_events (id, source, received_at, payload) VALUES
    (1, 'payments', '2024-06-07 18:03+02', '{"order": 1, "tip": 2.00, "distance": 2.4, "note": "ring twice"}'),
    (2, 'payments', '2024-06-08 20:16+02', '{"order": 2, "tip": null, "distance": null}'),
    (3, 'bistrolink', '2024-06-08 20:14+02', '{"order": 2, "tip": null, "note": null}');
INSERT INTO courier_pings VALUES (1, '2024-06-07 18:30+02', 51.04, 3.72, 81), (2, '2024-06-08 21:01+02', 51.21, 3.22, 44), (1, '2024-06-12 12:05+02', 51.05, 3.73, 90);
INSERT INTO shift_totals (courier_id, day, rides, km) VALUES (1, '2024-06-07', 9, 31.40), (2, '2024-06-08', 6, 22.10);
