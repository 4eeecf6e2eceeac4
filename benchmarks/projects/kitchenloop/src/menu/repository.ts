import { dataSource } from "../data-source";
import { Dish } from "../entities/dish";
import { Restaurant } from "../entities/restaurant";

export interface MenuLine {
  id: number;
  name: string;
  price: string;
  allergens: string[];
}

/** The menu as the app shows it. */
export async function menuOf(restaurantId: number): Promise<MenuLine[]> {
  return dataSource.query(
    `
    SELECT d.id, d.name, d.price,
           array_sort(d.allergens) AS allergens
      FROM dishes d
      JOIN menu_sections s ON s.id = d.section_id
     WHERE s.restaurant_id = $1
       AND d.active
     ORDER BY s.level, d.id
    `,
    [restaurantId],
  );
}

export async function allergensOf(dishIds: number[]): Promise<{ id: number; allergens: string[] }[]> {
  return dataSource.query(
    "SELECT d.id, public.array_sort(d.allergens) AS allergens FROM dishes d WHERE d.id = ANY ($1::integer[]) ORDER BY d.id",
    [dishIds],
  );
}

export async function shortLabels(): Promise<{ id: number; labels: string[] }[]> {
  return dataSource.query(
    "SELECT d.id, array_sort_by_length(d.allergens) AS labels FROM dishes d WHERE cardinality(d.allergens) > 0 ORDER BY d.id",
  );
}

/** Sections of a menu, with the sections that they belong to. */
export async function sectionsOf(restaurantId: number) {
  return dataSource.query(
    `SELECT s.id, s.title, s.parent, s.level FROM menu_sections s WHERE s.restaurant_id = $1 ORDER BY s.level, s.id`,
    [restaurantId],
  );
}

export async function byKey(name: string): Promise<Dish[]> {
  return dataSource
    .getRepository(Dish)
    .createQueryBuilder("d")
    .where("dish_key(d.name) = dish_key(:name)", { name })
    .orderBy("d.id")
    .getMany();
}

export async function restaurantsIn(city: string): Promise<Restaurant[]> {
  return dataSource
    .getRepository(Restaurant)
    .createQueryBuilder("r")
    .where("city_key(r.city) = city_key(:city)", { city })
    .andWhere("r.lang IN ('english', 'french')")
    .orderBy("r.name")
    .getMany();
}
