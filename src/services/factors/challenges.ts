import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from '../../db/connection/database.ts';
import { insertChallenge, type NewChallenge } from '../../db/tables/accounts/sign-in-challenges.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { sentCodeDigest } from './check-proof.ts';

const challengeBytes = 32;

/** Returns a new challenge from a CSPRNG. */
export function newChallenge(): string {
  return randomBytes(challengeBytes).toString('base64url');
}

/** Returns what is stored of the challenge of a sign-in. */
export function challengeDigest(box: SecretBox, challenge: string): Buffer {
  return box.digest(challenge, 'sign-in-challenge');
}

/** Returns what a challenge stores of the password hash that was verified. */
function passwordDigest(box: SecretBox, passwordHash: string): Buffer {
  return box.digest(passwordHash, 'sign-in-password');
}

/** Reports whether the password is still the one that was verified. */
export function isSamePassword(box: SecretBox, passwordHash: string, digest: Buffer): boolean {
  return timingSafeEqual(passwordDigest(box, passwordHash), digest);
}

interface WantedChallenge extends Pick<NewChallenge, 'adminId' | 'passwordHash' | 'methods'> {
  readonly challenge: string;
  /** The code that is sent, if one is. */
  readonly sentCode?: string | undefined;
}

/** Stores a challenge. Returns when it expires, or null if the admin is not active or its password has changed. */
export async function storeChallenge(
  db: Database,
  box: SecretBox,
  { challenge, sentCode, ...wanted }: WantedChallenge,
): Promise<string | null> {
  return await insertChallenge(db, {
    ...wanted,
    digest: challengeDigest(box, challenge),
    passwordDigest: passwordDigest(box, wanted.passwordHash),
    codeDigest: sentCode === undefined ? null : sentCodeDigest(box, challenge, sentCode),
  });
}
