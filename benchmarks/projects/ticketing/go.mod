module example.org/ticketing

go 1.21

require (
	github.com/jackc/pgx/v5 v5.5.1
	github.com/pressly/goose/v3 v3.17.0
)
