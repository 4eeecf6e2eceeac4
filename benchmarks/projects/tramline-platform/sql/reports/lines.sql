-- name: lines_per_stop
SELECT stop_code, array_sort(lines) AS lines
  FROM platform.validator
 ORDER BY validator_id;

-- name: lines_backwards
SELECT stop_code, platform.array_reverse(lines) AS lines
  FROM platform.validator
 ORDER BY validator_id;

-- name: firmware
SELECT validator_id, platform.json_value(settings, 'firmware') AS firmware
  FROM platform.validator
 ORDER BY validator_id;

-- name: installers
SELECT validator_id, "system_user"
  FROM platform.validator
 WHERE "system_user" IS NOT NULL
 ORDER BY validator_id;

-- name: settings_for_export
SELECT json_build_object('stop', stop_code, 'next_check', date_add(date '2024-03-01', 30))
  FROM platform.validator
 ORDER BY validator_id;
