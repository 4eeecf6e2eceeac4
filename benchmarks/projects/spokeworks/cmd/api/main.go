package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strconv"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/spokeworks/franchise/internal/store"
)

func main() {
	pool, err := pgxpool.New(context.Background(), os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatalf("database: %v", err)
	}
	defer pool.Close()
	s := store.New(pool)

	http.HandleFunc("/v1/workshops/near", func(w http.ResponseWriter, r *http.Request) {
		lon, err1 := strconv.ParseFloat(r.URL.Query().Get("lon"), 64)
		lat, err2 := strconv.ParseFloat(r.URL.Query().Get("lat"), 64)
		if err1 != nil || err2 != nil {
			http.Error(w, "lon and lat are required", http.StatusBadRequest)
			return
		}
		shops, err := s.WorkshopsNear(r.Context(), lon, lat, 0.25)
		respond(w, shops, err)
	})
	http.HandleFunc("/v1/orders", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.URL.Query().Get("workshop"))
		if err != nil {
			http.Error(w, "workshop is required", http.StatusBadRequest)
			return
		}
		orders, err := s.OpenOrders(r.Context(), id)
		respond(w, orders, err)
	})
	log.Fatal(http.ListenAndServe(":8080", nil))
}

func respond(w http.ResponseWriter, body any, err error) {
	if err != nil {
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}
