module git.ops.internal/dba/watch

go 1.21

require (
	github.com/jackc/pgx/v5 v5.5.1
	gopkg.in/yaml.v3 v3.0.1
)
