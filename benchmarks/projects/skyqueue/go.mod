module github.com/monte-claro/skyqueue

go 1.22

require (
	github.com/jackc/pgx/v5 v5.6.0
	github.com/pressly/goose/v3 v3.21.1
)
