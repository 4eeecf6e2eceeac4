import { prisma } from '../db/prisma.js'

export interface SiteRow {
  id: number
  name: string
  country: string
}

/** Collecting sites in a circle of so many degrees. */
export async function sitesAround(lon: number, lat: number, degrees: number): Promise<SiteRow[]> {
  return prisma.$queryRaw<SiteRow[]>`
    SELECT s.id, s.name, s.country
      FROM sites s
     WHERE s.position @ circle(point(${lon}::float8, ${lat}::float8), ${degrees}::float8)
     ORDER BY s.name
  `
}

/** Collecting sites in the visible part of the map. */
export async function sitesInView(west: number, south: number, east: number, north: number): Promise<SiteRow[]> {
  return prisma.$queryRaw<SiteRow[]>`
    SELECT s.id, s.name, s.country
      FROM sites s
     WHERE s.position <@ box(point(${west}::float8, ${south}::float8), point(${east}::float8, ${north}::float8))
  `
}

export async function sitesNamed(pattern: string): Promise<SiteRow[]> {
  return prisma.$queryRaw<SiteRow[]>`
    SELECT s.id, s.name, s.country
      FROM sites s
     WHERE s.name ~* ${pattern}
  `
}

export async function nearest(lon: number, lat: number): Promise<SiteRow[]> {
  return prisma.$queryRaw<SiteRow[]>`
    SELECT s.id, s.name, s.country
      FROM sites s
     WHERE s.position IS NOT NULL
     ORDER BY s.position <-> point(${lon}::float8, ${lat}::float8)
     LIMIT 5
  `
}
