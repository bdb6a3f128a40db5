import { sql } from 'slonik';
import { z } from 'zod';
import { signInMethods } from '../../../contract/schemas/factors.ts';
import type { Database } from '../../connection/database.ts';
import { isoTimestamp } from '../../timestamps.ts';
import { affectsRow, countRow, textRow } from '../statements.ts';

/** How long a challenge lasts. */
export const challengeMinutes = 5;
/** How many codes a challenge takes, right or wrong. */
const maxTries = 5;

export interface NewChallenge {
  /** A keyed digest of the challenge. */
  readonly digest: Buffer;
  readonly adminId: string;
  /** The hash of the password that was verified. */
  readonly passwordHash: string;
  /** A keyed digest of that hash. */
  readonly passwordDigest: Buffer;
  readonly methods: readonly (typeof signInMethods)[number][];
  /** A keyed digest of the code that was sent, if one was. */
  readonly codeDigest: Buffer | null;
}

/**
 * Inserts a challenge and returns when it expires, or null if the admin is not active or its password has changed. `for
 * share` waits for a running change of the admin, because that change ends the challenges that it sees and would not
 * see this one.
 */
export async function insertChallenge(db: Database, challenge: NewChallenge): Promise<string | null> {
  const { digest, adminId, passwordHash, passwordDigest, methods, codeDigest } = challenge;
  return await db.maybeOneFirst(sql.type(textRow)`
    insert into sign_in_challenges (digest, admin_id, password_digest, methods, code_digest, expires_at)
    select ${sql.binary(digest)}, id, ${sql.binary(passwordDigest)}, ${sql.array([...methods], 'text')},
      ${codeDigest === null ? null : sql.binary(codeDigest)}::bytea,
      now() + make_interval(mins => ${challengeMinutes})
    from admins
    where id = ${adminId} and is_active = 1 and password_hash = ${passwordHash}
    for share
    returning ${isoTimestamp(sql.fragment`expires_at`)} as expires_at
  `);
}

const isLive = sql.fragment`expires_at > now() and tries < ${maxTries}`;

const challengedAdmin = z.object({ admin_id: z.string(), email: z.string() });

/** Returns whose sign-in a challenge belongs to, or null if there is no such challenge, or it has ended. */
export async function selectChallengedAdmin(db: Database, digest: Buffer) {
  return await db.maybeOne(sql.type(challengedAdmin)`
    select admin_id, email
    from sign_in_challenges join admins on admins.id = admin_id and is_active = 1
    where digest = ${sql.binary(digest)} and ${isLive}
  `);
}

const triedChallenge = z.object({
  password_digest: z.instanceof(Buffer),
  methods: z.array(z.enum(signInMethods)),
  code_digest: z.instanceof(Buffer).nullable(),
});

export type TriedChallenge = z.infer<typeof triedChallenge>;

/** Counts a try before it is checked, so that no try is free. Returns null if the challenge has ended. */
export async function countTry(db: Database, digest: Buffer): Promise<TriedChallenge | null> {
  return await db.maybeOne(sql.type(triedChallenge)`
    update sign_in_challenges set tries = tries + 1
    where digest = ${sql.binary(digest)} and ${isLive}
    returning password_digest, methods, code_digest
  `);
}

/** Ends a challenge. Returns false if it has ended already: only one sign-in can use it. */
export async function useChallenge(tx: Database, digest: Buffer): Promise<boolean> {
  return await affectsRow(tx)`
    delete from sign_in_challenges where digest = ${sql.binary(digest)} and expires_at > now()
  `;
}

/** Ends all challenges of an admin. */
export async function deleteChallenges(tx: Database, adminId: string): Promise<void> {
  await tx.query(sql.unsafe`delete from sign_in_challenges where admin_id = ${adminId}`);
}

/** Returns how many codes were sent to an admin that could still be used. */
export async function countSentCodes(db: Database, adminId: string): Promise<number> {
  return await db.oneFirst(sql.type(countRow)`
    select count(*)::integer as count from sign_in_challenges
    where admin_id = ${adminId} and code_digest is not null and expires_at > now()
  `);
}
