import { prisma } from '../db/prisma';

export interface DueParcel {
  id: number;
  tracking_no: string;
  service: string;
  due_at: Date;
}

/** Parcels of a hub with the moment at which the carrier has promised them. */
export async function dueParcels(hubId: number): Promise<DueParcel[]> {
  return prisma.$queryRaw<DueParcel[]>`
    SELECT p.id,
           p.tracking_no,
           r.service,
           date_add(p.accepted_at, r.max_transit) AS due_at
      FROM parcels p
      JOIN sla_rules r ON r.carrier_id = p.carrier_id
     WHERE p.hub_id = ${hubId}
     ORDER BY p.id, r.id`;
}

/** What the customers' portal shows: without a rule the plain transit time of the service. */
export async function promisedAt(parcelId: number): Promise<{ promised: Date; date_add: Date }[]> {
  return prisma.$queryRaw`
    SELECT public.date_add(p.accepted_at, r.max_transit + r.grace) AS promised,
           p.accepted_at + r.max_transit AS date_add
      FROM parcels p
      JOIN sla_rules r ON r.carrier_id = p.carrier_id
     WHERE p.id = ${parcelId}
     ORDER BY r.level DESC, r.id
     LIMIT 1`;
}

export async function answerBy(claimId: number): Promise<{ id: number; answer_by: Date }[]> {
  return prisma.$queryRaw`
    SELECT c.id, date_add(c.opened_on, 5) AS answer_by
      FROM claims c
     WHERE c.id = ${claimId}`;
}

export async function zoneOf(addressId: number): Promise<{ label: string; capacity: number }[]> {
  return prisma.$queryRaw`
    SELECT z.label, z.capacity
      FROM hub_zones z
      JOIN addresses a ON a.position <@ z.bounds
     WHERE a.id = ${addressId}
     ORDER BY z.label`;
}

/** How far the driver was off the planned weight, in percent of it. */
export async function weightDeviation(parcelId: number, measured: number): Promise<{ deviation: number }[]> {
  return prisma.$queryRaw`
    SELECT @ (p.weight_g - ${measured}::integer) * 100 / p.weight_g AS deviation
      FROM parcels p
     WHERE p.id = ${parcelId}`;
}

export async function tagParcel(parcelId: number): Promise<number> {
  return prisma.$executeRaw`
    UPDATE parcels
       SET tags = array_append(tags, 'delayed'::text)
     WHERE id = ${parcelId} AND NOT tags @> ARRAY['delayed']`;
}

export async function declaredValue(parcelId: number): Promise<{ total: string; biggest: string }[]> {
  return prisma.$queryRaw`
    SELECT sum(i.quantity * i.value) AS total, max(i.value) AS biggest
      FROM parcel_items i
     WHERE i.parcel_id = ${parcelId}`;
}
