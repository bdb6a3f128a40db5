import { sql } from 'slonik';
import { z } from 'zod';
import { factorSchema, type factorTypes } from '../../../contract/schemas/factors.ts';
import type { Database } from '../../connection/database.ts';
import { isoTimestamp } from '../../timestamps.ts';
import { affectsRow, countRow, givenRows } from '../statements.ts';

/** The unique constraint on the ids of passkeys. */
export const credentialConstraint = 'admin_factors_credential_id_key';

/** How long a factor may take to be set up, in minutes. */
const setupMinutes = 15;

const recordedFactor = factorSchema.pick({ id: true, type: true, name: true });

const verifiedFactor = recordedFactor.extend({
  secret: z.string().nullable(),
  last_step: z.int().nullable(),
  credential_id: z.string().nullable(),
  public_key: z.instanceof(Buffer).nullable(),
  sign_count: z.int().nullable(),
  transports: z.array(z.string()),
  rp_id: z.string().nullable(),
});

/** A factor that sign-ins ask for. Which fields are null depends on the type. */
export type VerifiedFactor = z.infer<typeof verifiedFactor>;

/** Returns the verified factors of an admin, oldest first. */
export async function selectFactors(db: Database, adminId: string) {
  return await db.any(sql.type(factorSchema)`
    select id, type, name,
      ${isoTimestamp(sql.fragment`created_at`)} as created_at,
      ${isoTimestamp(sql.fragment`last_used_at`)} as last_used_at
    from admin_factors
    where admin_id = ${adminId} and verified_at is not null
    order by admin_factors.created_at, id
  `);
}

/** Returns the verified factors of an admin with what verifies them, oldest first. */
export async function selectVerifiedFactors(db: Database, adminId: string) {
  return await db.any(sql.type(verifiedFactor)`
    select id, type, name, secret, last_step, credential_id, public_key, sign_count, transports, rp_id
    from admin_factors
    where admin_id = ${adminId} and verified_at is not null
    order by created_at, id
  `);
}

interface NewFactor {
  readonly id: string;
  readonly adminId: string;
  readonly name: string;
}

/** Deletes what an admin was setting up, which a new set-up replaces. */
const replaced = (adminId: string, type: (typeof factorTypes)[number]) => sql.fragment`
  delete from admin_factors where admin_id = ${adminId} and type = ${type} and verified_at is null
`;

/** Inserts an authenticator app that is not verified yet. */
export async function insertTotp(db: Database, factor: NewFactor & { readonly secret: string }) {
  await db.query(sql.unsafe`
    with replaced as (${replaced(factor.adminId, 'totp')})
    insert into admin_factors (id, admin_id, type, name, secret)
    values (${factor.id}, ${factor.adminId}, 'totp', ${factor.name}, ${factor.secret})
  `);
}

/** Inserts a passkey that is not verified yet. */
export async function insertPasskey(
  db: Database,
  factor: NewFactor & { readonly rpId: string; readonly challengeDigest: Buffer },
): Promise<void> {
  await db.query(sql.unsafe`
    with replaced as (${replaced(factor.adminId, 'passkey')})
    insert into admin_factors (id, admin_id, type, name, rp_id, challenge_digest)
    values (
      ${factor.id}, ${factor.adminId}, 'passkey', ${factor.name}, ${factor.rpId}, ${sql.binary(factor.challengeDigest)}
    )
  `);
}

const pendingFactor = recordedFactor.extend({
  secret: z.string().nullable(),
  rp_id: z.string().nullable(),
  challenge_digest: z.instanceof(Buffer).nullable(),
});

const isPending = sql.fragment`
  verified_at is null and created_at > now() - make_interval(mins => ${setupMinutes})
`;

/** Returns a factor of an admin that is being set up, or null if there is none, or it has expired. */
export async function selectPendingFactor(db: Database, adminId: string, id: string) {
  return await db.maybeOne(sql.type(pendingFactor)`
    select id, type, name, secret, rp_id, challenge_digest
    from admin_factors
    where id = ${id} and admin_id = ${adminId} and ${isPending}
  `);
}

/** Marks an authenticator app as verified by the code of a time step. Returns false if it is no longer being set up. */
export async function verifyTotp(tx: Database, id: string, step: number): Promise<boolean> {
  return await affectsRow(tx)`
    update admin_factors set verified_at = now(), last_step = ${step}
    where id = ${id} and ${isPending}
  `;
}

export interface PasskeyCredential {
  readonly id: string;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly transports: readonly string[];
}

/**
 * Marks a passkey as verified, with its credential. Returns false if it is no longer being set up. Throws a unique
 * violation if the credential is set up already.
 */
export async function verifyPasskey(tx: Database, id: string, credential: PasskeyCredential) {
  return await affectsRow(tx)`
    update admin_factors set
      verified_at = now(),
      challenge_digest = null,
      credential_id = ${credential.id},
      public_key = ${sql.binary(credential.publicKey)},
      sign_count = ${credential.signCount},
      transports = ${sql.array([...credential.transports], 'text')}
    where id = ${id} and ${isPending}
  `;
}

/**
 * Uses the code of a time step once. Returns false if that code, or a later one, was used meanwhile. A step that is far
 * ahead of the current one was used before the clock was set back, and does not count.
 */
export async function useTotpStep(
  tx: Database,
  id: string,
  { step, now }: { readonly step: number; readonly now: number },
): Promise<boolean> {
  return await affectsRow(tx)`
    update admin_factors set last_step = ${step}, last_used_at = now()
    where id = ${id} and (last_step is null or last_step < ${step} or last_step > ${now + 1})
  `;
}

/**
 * Stores the count of a passkey's uses, 0 if its device does not count. Returns false if it has been used that often
 * already, by a copy of it.
 */
export async function usePasskey(tx: Database, id: string, signCount: number): Promise<boolean> {
  return await affectsRow(tx)`
    update admin_factors set sign_count = ${signCount}, last_used_at = now()
    where id = ${id} and (sign_count < ${signCount} or (sign_count = 0 and ${signCount} = 0))
  `;
}

/** Returns how many verified factors of that type an admin has, or of any type. */
export async function countFactors(
  db: Database,
  adminId: string,
  type: (typeof factorTypes)[number] | null = null,
): Promise<number> {
  return await db.oneFirst(sql.type(countRow)`
    select count(*)::integer as count from admin_factors
    where admin_id = ${adminId} and verified_at is not null and (type = ${type} or ${type}::text is null)
  `);
}

/** Deletes one verified factor of an admin, or all of them and those that are being set up. Returns the verified ones. */
export async function deleteFactors(tx: Database, adminId: string, id: string | null) {
  return await tx.any(sql.type(recordedFactor)`
    with gone as (
      delete from admin_factors
      where admin_id = ${adminId} and (id = ${id} or ${id}::text is null)
      returning id, type, name, verified_at
    )
    select id, type, name from gone where verified_at is not null order by id
  `);
}

/** Returns how many admins have a second factor. */
export async function countAdminsWithFactors(db: Database): Promise<number> {
  return await db.oneFirst(sql.type(countRow)`
    select count(distinct admin_id)::integer as count from admin_factors where verified_at is not null
  `);
}

const recoveryCode = z.object({ id: z.string(), sealed_hash: z.string() });

/** Returns the unused recovery codes of an admin, sealed. */
export async function selectRecoveryCodes(db: Database, adminId: string) {
  return await db.any(sql.type(recoveryCode)`
    select id, sealed_hash from admin_recovery_codes where admin_id = ${adminId} order by id
  `);
}

/** Returns how many unused recovery codes an admin has. */
export async function countRecoveryCodes(db: Database, adminId: string): Promise<number> {
  return await db.oneFirst(sql.type(countRow)`
    select count(*)::integer as count from admin_recovery_codes where admin_id = ${adminId}
  `);
}

/** Replaces the recovery codes of an admin. */
export async function replaceRecoveryCodes(
  tx: Database,
  adminId: string,
  codes: readonly z.infer<typeof recoveryCode>[],
): Promise<void> {
  await deleteRecoveryCodes(tx, adminId);
  await tx.query(sql.unsafe`
    insert into admin_recovery_codes (id, admin_id, sealed_hash)
    select id, ${adminId}, sealed_hash
    from ${givenRows(codes, { id: 'text', sealed_hash: 'text' })}
  `);
}

/** Deletes the recovery codes of an admin. */
export async function deleteRecoveryCodes(tx: Database, adminId: string): Promise<void> {
  await tx.query(sql.unsafe`delete from admin_recovery_codes where admin_id = ${adminId}`);
}

/** Uses a recovery code, which deletes it. Returns false if it was used meanwhile. */
export async function useRecoveryCode(tx: Database, id: string): Promise<boolean> {
  return await affectsRow(tx)`delete from admin_recovery_codes where id = ${id}`;
}
