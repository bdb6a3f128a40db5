import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/database.ts';
import { isEmail } from './emails.ts';

/** Where an account signed in from, compared with its sign-ins of the last 90 days. */
const place = z.object({ new_device: z.boolean(), new_network: z.boolean(), is_first: z.boolean() });

/** The networks that a sign-in came from. */
interface SignInNetworks {
  /** The smallest network that counts, which only one party has. */
  readonly network: string;
  /** The network around it, which stays the same while a provider changes the address. */
  readonly place: string;
}

/** Remembers the device and the networks of a sign-in. Returns what was new, and whether nothing was remembered yet. */
export async function rememberPlace(
  tx: Database,
  signIn: SignInNetworks & { readonly adminId: string; readonly device: string },
) {
  const { adminId, device, network, place: around } = signIn;
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

const knownNetworks = z.object({
  /** The id of the active admin with the e-mail. */
  admin_id: z.string().nullable(),
  network: z.boolean(),
  place: z.boolean(),
});

/** Returns what is known of the account that somebody attempts to sign in to, and of the networks of the attempt. */
export async function selectKnownNetworks(
  db: Database,
  { email, network, place: around }: SignInNetworks & { readonly email: string },
) {
  return await db.one(sql.type(knownNetworks)`
    select
      min(admins.id) filter (where is_active = 1) as admin_id,
      coalesce(bool_or(known.network = ${network}), false) as network,
      coalesce(bool_or(known.network = ${around}), false) as place
    from (
      select id, is_active from admins where ${isEmail(email)} order by is_active desc, email = ${email} desc limit 1
    ) as admins
    left join sign_in_networks as known on admin_id = admins.id and known.network in (${network}, ${around})
  `);
}
