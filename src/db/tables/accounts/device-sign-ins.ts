import { sql } from 'slonik';
import { z } from 'zod';
import { roleSchema } from '../../../contract/operation.ts';
import type { Database } from '../../connection/database.ts';
import { isoTimestamp } from '../../timestamps.ts';
import { affectsRow } from '../statements.ts';
import type { NewApiToken } from './api-tokens.ts';

/** How long a device may wait for an answer. */
export const deviceSeconds = 15 * 60;
/** How often a device may ask, and by how much longer it waits after asking too often. */
export const pollSeconds = 5;
const maxPollSeconds = 60;

export interface NewDevice {
  /** SHA-256 of the secret of the device. */
  readonly deviceHash: Buffer;
  /** A keyed digest of the code that the person enters. */
  readonly userDigest: Buffer;
  readonly name: string;
  readonly address: string;
}

/** Inserts a device that waits. Returns false if another one has the code. */
export async function insertDevice(db: Database, { deviceHash, userDigest, name, address }: NewDevice) {
  return await affectsRow(db)`
    insert into device_sign_ins (device_hash, user_digest, name, address, interval_seconds, expires_at)
    values (
      ${sql.binary(deviceHash)}, ${sql.binary(userDigest)}, ${name}, ${address}, ${pollSeconds},
      now() + make_interval(secs => ${deviceSeconds})
    )
    on conflict do nothing
  `;
}

const waitingDevice = z.object({
  id: z.int(),
  name: z.string(),
  address: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
});

const isWaiting = sql.fragment`expires_at > now() and admin_id is null and denied_at is null`;

/** Returns the device with the code that waits for an answer, or null if there is none. */
export async function selectWaitingDevice(db: Database, userDigest: Buffer) {
  return await db.maybeOne(sql.type(waitingDevice)`
    select id, name, address,
      ${isoTimestamp(sql.fragment`created_at`)} as created_at,
      ${isoTimestamp(sql.fragment`expires_at`)} as expires_at
    from device_sign_ins
    where user_digest = ${sql.binary(userDigest)} and ${isWaiting}
  `);
}

/** The token that a device gets, and whose it is. */
type DeviceGrant = Pick<NewApiToken, 'role' | 'isReadOnly' | 'days'> & { readonly adminId: string };

/** Lets a device in. Returns false if somebody has answered it meanwhile, or it is too old. */
export async function approveDeviceRow(
  tx: Database,
  id: number,
  { adminId, role, isReadOnly, days }: DeviceGrant,
): Promise<boolean> {
  return await affectsRow(tx)`
    update device_sign_ins set admin_id = ${adminId}, role = ${role}, read_only = ${isReadOnly}, token_days = ${days}
    where id = ${id} and ${isWaiting}
  `;
}

/** Keeps a device out. Returns false if somebody has answered it meanwhile, or it is too old. */
export async function denyDeviceRow(db: Database, id: number): Promise<boolean> {
  return await affectsRow(db)`update device_sign_ins set denied_at = now() where id = ${id} and ${isWaiting}`;
}

const polledDevice = z.object({
  state: z.enum(['approved', 'denied', 'early', 'pending']),
  admin_id: z.string().nullable(),
});

/** Notes that a device has asked, and returns the answer so far, or null if there is no such device. */
export async function pollDevice(db: Database, deviceHash: Buffer) {
  return await db.maybeOne(sql.type(polledDevice)`
    with before as materialized (
      select id, admin_id,
        case
          when admin_id is not null then 'approved'
          when denied_at is not null then 'denied'
          when polled_at > clock_timestamp() - make_interval(secs => interval_seconds) then 'early'
          else 'pending'
        end as state
      from device_sign_ins
      where device_hash = ${sql.binary(deviceHash)} and expires_at > now()
      for no key update
    ), polled as (
      update device_sign_ins as device set
        polled_at = clock_timestamp(),
        interval_seconds = case when before.state = 'early'
          then least(device.interval_seconds + ${pollSeconds}, ${maxPollSeconds}) else device.interval_seconds end
      from before
      where device.id = before.id and before.state in ('early', 'pending')
    )
    select state, admin_id from before
  `);
}

const approvedDevice = z.object({
  name: z.string(),
  role: roleSchema,
  read_only: z.boolean(),
  token_days: z.int().nullable(),
});

/** Ends the sign-in of a device that an admin has let in. Returns null if it has ended: only one call gets the token. */
export async function takeApprovedDevice(tx: Database, deviceHash: Buffer, adminId: string) {
  return await tx.maybeOne(sql.type(approvedDevice)`
    delete from device_sign_ins
    where device_hash = ${sql.binary(deviceHash)} and admin_id = ${adminId} and expires_at > now()
    returning name, role, read_only, token_days
  `);
}
