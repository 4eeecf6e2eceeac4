export const expected = {
  constraints: [
    "addresses.addresses_customer_id_fkey",
    "addresses.addresses_pkey",
    "customers.customers_pkey",
    "dishes.dishes_price_check",
    "orders.orders_pkey",
    "orders.orders_promise",
  ],
};
