import { createHmac, timingSafeEqual } from 'node:crypto';
import bcrypt from 'bcryptjs';

/** Without a hash: hash the password. With a hash, even an invalid one: verify the password against it. */
export interface PasswordTask {
  readonly password: string;
  readonly hash?: string;
}

/** The cost of bcrypt, as a power of two: about 140 ms on one core. */
const cost = 10;

const storedHash =
  /^\$bcrypt-sha256\$v=2,t=2b,r=(?<cost>\d{1,2})\$(?<salt>[./A-Za-z0-9]{22})\$(?<digest>[./A-Za-z0-9]{31})$/;

/** Used to hash for an account that has no valid hash. */
const dummySalt = 'abcdefghijklmnopqrstuu';

/**
 * Runs a task on a worker thread. The scheme is passlib's `bcrypt_sha256`, version 2
 * (https://passlib.readthedocs.io/en/stable/lib/passlib.hash.bcrypt_sha256.html): bcrypt over the Base64 of HMAC-SHA-256
 * keyed with the salt, so that the 72-byte limit of bcrypt does not truncate long passwords.
 */
export function runPasswordTask({ password, hash }: PasswordTask): string | boolean {
  if (hash === undefined) return hashWith(password, cost, bcrypt.genSaltSync(cost).slice(-22));
  const parts = storedHash.exec(hash)?.groups;
  // An account that does not exist or has no password takes as long as any other.
  const candidate = hashWith(password, Number(parts?.cost ?? cost), parts?.salt ?? dummySalt);
  return candidate.length === hash.length && timingSafeEqual(Buffer.from(candidate), Buffer.from(hash));
}

function hashWith(password: string, rounds: number, salt: string): string {
  const key = createHmac('sha256', salt).update(password, 'utf8').digest('base64');
  const text = bcrypt.hashSync(key, `$2b$${String(rounds).padStart(2, '0')}$${salt}`);
  return `$bcrypt-sha256$v=2,t=2b,r=${rounds}$${salt}$${text.slice(-31)}`;
}
