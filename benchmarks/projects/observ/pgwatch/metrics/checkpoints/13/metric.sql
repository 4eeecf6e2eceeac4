SELECT (date_part('epoch', now()) * 1e9)::int8 AS epoch_ns,
       checkpoints_timed,
       checkpoints_req
  FROM pg_stat_bgwriter;
