CREATE TYPE order_state AS ENUM ('cart', 'placed', 'cooking', 'on_the_way', 'delivered', 'cancelled');

CREATE TABLE restaurants (
    id serial PRIMARY KEY,
    name text NOT NULL,
    slug text UNIQUE,
    city text NOT NULL,
    lang text NOT NULL DEFAULT 'english',
    opens time NOT NULL DEFAULT '11:00',
    closes time NOT NULL DEFAULT '22:30',
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE menu_sections (
    id serial PRIMARY KEY,
    restaurant_id integer NOT NULL REFERENCES restaurants ON DELETE CASCADE,
    parent integer REFERENCES menu_sections,
    level integer NOT NULL DEFAULT 0,
    title text NOT NULL
);

CREATE TABLE dishes (
    id serial PRIMARY KEY,
    section_id integer NOT NULL REFERENCES menu_sections,
    name text NOT NULL,
    description text NOT NULL DEFAULT '',
    price numeric(8,2) NOT NULL CHECK (price > 0),
    prep_time text NOT NULL DEFAULT '15',
    pack_minutes integer NOT NULL DEFAULT 2,
    allergens text[] NOT NULL DEFAULT '{}',
    search tsvector,
    active boolean NOT NULL DEFAULT true
);

CREATE TABLE customers (
    id serial PRIMARY KEY,
    email text NOT NULL,
    full_name text NOT NULL,
    phone text,
    joined_on date NOT NULL DEFAULT current_date
);
CREATE UNIQUE INDEX customers_email_key ON customers (lower(email));

CREATE TABLE addresses (
    id serial PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES customers ON DELETE CASCADE,
    street text NOT NULL,
    city text NOT NULL,
    door_code text
);

CREATE TABLE couriers (
    id serial PRIMARY KEY,
    full_name text NOT NULL,
    vehicle text NOT NULL DEFAULT 'bike',
    zones integer[] NOT NULL DEFAULT '{}',
    active boolean NOT NULL DEFAULT true
);

CREATE TABLE orders (
    id serial PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES customers,
    restaurant_id integer NOT NULL REFERENCES restaurants,
    address_id integer REFERENCES addresses,
    state order_state NOT NULL DEFAULT 'cart',
    placed_at timestamptz,
    promised_at timestamptz,
    delivered_at timestamptz,
    subtotal numeric(9,2) NOT NULL DEFAULT 0,
    fee numeric(6,2) NOT NULL DEFAULT 2.90,
    total numeric(9,2) GENERATED ALWAYS AS (subtotal + fee) STORED,
    meta jsonb NOT NULL DEFAULT '{}',
    CONSTRAINT orders_promise CHECK (promised_at > placed_at)
);
CREATE INDEX orders_open_idx ON orders (restaurant_id, placed_at) WHERE state IN ('placed', 'cooking', 'on_the_way');

CREATE TABLE order_items (
    order_id integer NOT NULL REFERENCES orders ON DELETE CASCADE,
    line integer NOT NULL,
    dish_id integer NOT NULL REFERENCES dishes,
    quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 50),
    unit_price numeric(8,2) NOT NULL,
    wishes text,
    PRIMARY KEY (order_id, line)
);

CREATE TABLE deliveries (
    id serial PRIMARY KEY,
    order_id integer NOT NULL UNIQUE REFERENCES orders,
    courier_id integer NOT NULL REFERENCES couriers,
    picked_up_at timestamptz,
    handed_over_at timestamptz
);

CREATE TABLE ratings (
    order_id integer PRIMARY KEY REFERENCES orders,
    stars integer NOT NULL CHECK (stars BETWEEN 1 AND 5),
    remark text,
    rated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE promo_codes (
    code text PRIMARY KEY,
    percent numeric(4,1) NOT NULL,
    starts_on date NOT NULL,
    runs interval NOT NULL DEFAULT '1 month'
);

CREATE UNLOGGED TABLE cart_sessions (
    token uuid PRIMARY KEY,
    customer_id integer,
    items jsonb NOT NULL DEFAULT '[]',
    touched_at timestamptz NOT NULL DEFAULT now()
);
