import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/pool.ts';

const place = z.object({ new_device: z.boolean(), new_network: z.boolean(), is_first: z.boolean() });

/** Where an account signed in from, compared with its sign-ins of the last 90 days. */
export type SignInPlace = z.infer<typeof place>;

/** The networks that a sign-in came from. */
export interface SignInNetworks {
  /** The smallest network that counts, which only one party has. */
  readonly network: string;
  /** The network around it, which stays the same while a provider changes the address. */
  readonly place: string;
}

/** Remembers the device and the networks of a sign-in. Returns what was new, and whether nothing was remembered yet. */
export async function rememberPlace(
  tx: Database,
  {
    adminId,
    device,
    network,
    place: around,
  }: SignInNetworks & { readonly adminId: string; readonly device: string },
): Promise<SignInPlace> {
  return await tx.one(sql.type(place)`
    with networks as (
      insert into sign_in_networks (admin_id, network)
      select ${adminId}, network from (values (${network}), (${around})) as given (network)
      group by network order by network
      on conflict (admin_id, network) do update set last_used_at = excluded.last_used_at
    ), devices as (
      insert into sign_in_devices (admin_id, device) values (${adminId}, ${device})
      on conflict (admin_id, device) do update set last_used_at = excluded.last_used_at
    )
    select
      not exists (select from sign_in_devices where admin_id = ${adminId} and device = ${device}) as new_device,
      not exists (select from sign_in_networks where admin_id = ${adminId} and network = ${around}) as new_network,
      not exists (select from sign_in_devices where admin_id = ${adminId}) as is_first
  `);
}

const knownNetworks = z.object({ network: z.boolean(), place: z.boolean() });

/** Reports from which of the networks an account was signed in to lately. */
export async function selectKnownNetworks(
  db: Database,
  email: string,
  { network, place: around }: SignInNetworks,
): Promise<z.infer<typeof knownNetworks>> {
  return await db.one(sql.type(knownNetworks)`
    select coalesce(bool_or(network = ${network}), false) as network,
      coalesce(bool_or(network = ${around}), false) as place
    from admins join sign_in_networks on admin_id = admins.id
    where email = ${email} and network in (${network}, ${around})
  `);
}

/** Deletes the devices and networks without a sign-in in the last 90 days. */
export async function deleteOldPlaces(db: Database): Promise<void> {
  await db.query(sql.unsafe`delete from sign_in_networks where last_used_at < now() - interval '90 days'`);
  await db.query(sql.unsafe`delete from sign_in_devices where last_used_at < now() - interval '90 days'`);
}
