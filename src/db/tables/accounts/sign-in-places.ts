import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/pool.ts';

const place = z.object({ new_device: z.boolean(), new_network: z.boolean(), is_first: z.boolean() });

/** Where an account signed in from, compared with its sign-ins of the last 90 days. */
export type SignInPlace = z.infer<typeof place>;

/** Remembers the device and the network of a sign-in. Returns what was new, and whether nothing was remembered yet. */
export async function rememberPlace(
  tx: Database,
  {
    adminId,
    device,
    network,
  }: { readonly adminId: string; readonly device: string; readonly network: string },
): Promise<SignInPlace> {
  return await tx.one(sql.type(place)`
    with networks as (
      insert into sign_in_networks (admin_id, network) values (${adminId}, ${network})
      on conflict (admin_id, network) do update set last_used_at = excluded.last_used_at
    ), devices as (
      insert into sign_in_devices (admin_id, device) values (${adminId}, ${device})
      on conflict (admin_id, device) do update set last_used_at = excluded.last_used_at
    )
    select
      not exists (select from sign_in_devices where admin_id = ${adminId} and device = ${device}) as new_device,
      not exists (select from sign_in_networks where admin_id = ${adminId} and network = ${network}) as new_network,
      not exists (select from sign_in_devices where admin_id = ${adminId}) as is_first
  `);
}

/** Deletes the devices and networks without a sign-in in the last 90 days. */
export async function deleteOldPlaces(db: Database): Promise<void> {
  await db.query(sql.unsafe`delete from sign_in_networks where last_used_at < now() - interval '90 days'`);
  await db.query(sql.unsafe`delete from sign_in_devices where last_used_at < now() - interval '90 days'`);
}
