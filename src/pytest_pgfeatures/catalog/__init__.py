"""What a major consists of, asked of a server: functions, types, settings, keywords, catalogs, programs."""
