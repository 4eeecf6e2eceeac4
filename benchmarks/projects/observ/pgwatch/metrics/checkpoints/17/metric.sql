SELECT (date_part('epoch', now()) * 1e9)::int8 AS epoch_ns,
       num_timed AS checkpoints_timed,
       num_requested AS checkpoints_req
  FROM pg_stat_checkpointer;
