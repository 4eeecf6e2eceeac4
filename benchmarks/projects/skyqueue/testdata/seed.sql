INSERT INTO programs (id, code, title, pi, hours, starts) VALUES
    (1, 'MC24-07', 'Light curves of contact binaries', 'I. Sanz', 60, '2024-09-01'),
    (2, 'MC24-11', 'Faint dwarfs around NGC 7331', 'T. Okafor', 35.5, '2024-10-01');
INSERT INTO targets (id, program_id, name, ra, dec, magnitude, extra, ignore) VALUES
    (1, 1, 'W UMa', 145.9395, 55.9528, 7.9, '{"period": 0.3336}', false),
    (2, 1, 'VW Cep', 309.3, 75.6, 7.4, '{"period": 0.2783, "note": "json_exists"}', false),
    (3, 2, 'NGC 7331 F3', 339.27, 34.42, 19.8, '{}', true);
INSERT INTO observations (id, target_id, night, seq, exposure_s, repeats, skipped, done_at) VALUES
    (1, 1, '2024-11-02', 10, 30, 40, false, '2024-11-02 23:10+00'),
    (2, 2, '2024-11-02', 20, 20, 60, true, NULL),
    (3, 3, '2024-11-02', 30, 600, 6, false, NULL);
INSERT INTO frames (id, observation_id, path, header, taken_at, bytes) VALUES
    (1, 1, '2024/1102/0001.fits', 'SIMPLE  =  T', '2024-11-02 22:01+00', 8392320),
    (2, 1, '2024/1102/0002.fits', 'SIMPLE  =  T / b', '2024-11-02 22:02+00', 8392320);
INSERT INTO frames_ccd1 (id, observation_id, path, header, taken_at, bytes, log_no) VALUES
    (900, 1, 'ccd1/0900.fits', 'SIMPLE  =  T / ccd1', '2024-11-02 22:03+00', 2102400, 5512);
INSERT INTO weather VALUES (1, '2024-11-02 20:00+00', 34.5, 3.1), (1, '2024-11-02 21:00+00', 36, 2.8);
INSERT INTO devices (id, name, address) VALUES (1, 'dome1', '10.8.0.11'), (2, 'focus1', '10.8.0.12');
INSERT INTO leases VALUES (1, '10.8.0.11', '[2024-01-01,)'), (2, '10.8.0.12', '[2024-01-01,)');
INSERT INTO bookings VALUES (1, '[2024-11-02 18:00+00,2024-11-03 06:00+00)', 1);
INSERT INTO calibrations (night, filter, kind, path) VALUES ('2024-11-02', 'V', 'flat', 'cal/v.fits');
INSERT INTO filters VALUES ('V', 1, 1), ('R', 1, 2), ('spare', NULL, NULL);
INSERT INTO stream_positions (name, flushed, applied) VALUES ('archive', '0/1F00A8', '0/1F0000'), ('garching', '2/3A', '0/1F0000');
INSERT INTO vacuum_samples VALUES ('2024-11-02 12:00+00', 'frames', 120);
