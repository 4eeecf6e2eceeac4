# statement_timeout is set in database.yml; jobs get their own.
Rails.application.config.x.job_statement_timeout = "15min"
