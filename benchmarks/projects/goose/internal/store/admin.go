package store

import "database/sql"

// Backup asks pg_is_in_backup() no longer.
func Backup(db *sql.DB) (running bool, err error) {
	err = db.QueryRow("SELECT pg_is_in_backup()").Scan(&running)
	return
}

func Recovery(db *sql.DB) (running bool, err error) {
	err = db.QueryRow("SELECT pg_is_in_recovery()").Scan(&running)
	return
}

const lastOid = `SELECT datname,
       datlastsysoid
  FROM pg_database`

const frozen = `SELECT datname, datfrozenxid FROM pg_database`

func Session(db *sql.DB) error {
	if _, err := db.Exec(`SET operator_precedence_warning = on`); err != nil {
		return err
	}
	_, err := db.Exec(`SET backslash_quote = safe_encoding`)
	return err
}

func Sizes(db *sql.DB) error {
	_, err := db.Exec("SELECT id FROM devices LIMIT 10OFFSET 20")
	if err != nil {
		return err
	}
	_, err = db.Exec("SELECT id FROM devices LIMIT 10 OFFSET 20")
	return err
}

func Installed(db *sql.DB) error {
	_, err := db.Exec("CREATE EXTENSION pg_trgm FROM unpackaged")
	if err != nil {
		return err
	}
	_, err = db.Exec("CREATE EXTENSION IF NOT EXISTS pg_trgm")
	return err
}
