INSERT INTO public.crews (id, name, parent, level) VALUES (1, 'North', NULL, 0), (2, 'North pruning', 1, 1), (3, 'South', NULL, 0);

INSERT INTO public.species (id, latin, common, native) VALUES
    (1, 'Tilia cordata', 'small-leaved lime', true),
    (2, 'Platanus x hispanica', 'London plane', false);

INSERT INTO public.trees (id, species_id, street, house_number, planted_on, girth_cm, hazard_tags, details) VALUES
    (1, 1, 'Lindenstrasse', '4', '1974-11-02', 164, '{wires,cavity,wires}', '{"height": 14.5, "owner": "city"}'),
    (2, 2, 'Am Hafen', NULL, '1999-03-20', 120, '{}', '{"height": null}'),
    (3, 1, 'Lindenstrasse', '11', '2021-10-30', 22, '{stake,guying}', '{"height": 3}');

INSERT INTO public.visits (id, tree_id, crew_id, due_on, done_at, state, notes) VALUES
    (1, 1, 2, '2023-07-03', '2023-07-03 09:40:00+00', 'done', 'deadwood out, two supports added'),
    (2, 2, 3, '2023-07-10', NULL, 'planned', 'add a support to the south limb'),
    (3, 3, 2, '2023-08-21', NULL, 'planned', 'check the ties'),
    (4, 1, 2, '2023-09-04', NULL, 'planned', '');

INSERT INTO public.sensor_days (sensor, day, moisture) VALUES ('m-07', '2023-07-01', 31.20), ('m-07', '2023-07-02', 28.75);

INSERT INTO public.import_rows (batch, line, raw) VALUES ('2023-06', 1, 'Tilia;Lindenstrasse;4'), ('2023-06', 2, 'Platanus;Am Hafen;');

INSERT INTO public.query_samples (taken_at, label, blk_read_time, checkpoints_req) VALUES
    ('2023-07-01 00:00:00+00', 'map', 310, 2), ('2023-07-02 00:00:00+00', 'map', 95, NULL);
