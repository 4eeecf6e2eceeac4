module git.stadtwerk.example/parking/permitd

go 1.21

require (
	github.com/jackc/pgx/v5 v5.5.5
	github.com/prometheus/client_golang v1.19.0
)
