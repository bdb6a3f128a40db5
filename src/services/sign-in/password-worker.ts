import { createHmac, timingSafeEqual } from 'node:crypto';
import bcrypt from 'bcryptjs';
import { parseStoredHash, type StoredHash } from './stored-hash.ts';

/** Without a hash: hash the password. With a hash, even an invalid one: verify the password against it. */
export interface PasswordTask {
  readonly password: string;
  readonly hash?: string;
  /** A cost of bcrypt: that of the new hash, or how much work a wrong password takes at least. */
  readonly cost: number;
}

/** Used to hash for an account that has no valid hash. */
const dummySalt = 'abcdefghijklmnopqrstuu';

/**
 * Runs a task on a worker thread. New hashes are passlib's `bcrypt_sha256`
 * (https://passlib.readthedocs.io/en/stable/lib/passlib.hash.bcrypt_sha256.html): bcrypt over the Base64 of HMAC-SHA-256
 * keyed with the salt, so that the 72-byte limit of bcrypt does not truncate long passwords. They have the version 3 where
 * passlib has 2, because the password is normalized first.
 */
export function runPasswordTask({ password, hash, cost }: PasswordTask): string | boolean {
  if (hash === undefined) {
    const salt = bcrypt.genSaltSync(cost).slice(-22);
    return hashWith(password, { scheme: 'normalized', cost, salt }, '');
  }
  const stored = parseStoredHash(hash);
  // An account that does not exist or has no password takes as long as any other.
  const settings = stored ?? { scheme: 'normalized', cost, salt: dummySalt };
  const candidate = hashWith(password, settings, hash);
  const isRight =
    candidate.length === hash.length && timingSafeEqual(Buffer.from(candidate), Buffer.from(hash));
  // One cost more is twice the work: together with this, all costs below take as long as the least one.
  if (!isRight) for (let more = settings.cost; more < cost; more++) bcryptOf('', more, dummySalt);
  return isRight;
}

/** Returns the text to store. A plain hash keeps the name that the other system gave the algorithm. */
function hashWith(password: string, { scheme, cost, salt }: StoredHash, given: string): string {
  if (scheme === 'plain') return `${given.slice(0, 29)}${bcryptOf(password, cost, salt)}`;
  const text = scheme === 'normalized' ? password.normalize('NFKC') : password;
  const key = createHmac('sha256', salt).update(text, 'utf8').digest('base64');
  const version = scheme === 'normalized' ? 3 : 2;
  return `$bcrypt-sha256$v=${version},t=2b,r=${cost}$${salt}$${bcryptOf(key, cost, salt)}`;
}

function bcryptOf(text: string, cost: number, salt: string): string {
  return bcrypt.hashSync(text, `$2b$${String(cost).padStart(2, '0')}$${salt}`).slice(-31);
}
