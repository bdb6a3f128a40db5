import { createHash, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { purposeOf } from '../../db/tables/sealed-columns.ts';
import { typedCode } from '../../shared/text.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

const recoveryCodeCount = 10;
/** Letters and digits that are not mistaken for each other: 32 of them, so that each is worth 5 bits. */
const alphabet = '023456789abcdefghjkmnpqrstuvwxyz';
const groups = 2;
const groupLength = 5;
const sentDigits = 6;

/** Returns ten new recovery codes of 50 random bits each, such as `7gk2d-m9x4q`. */
export function createRecoveryCodes(): readonly string[] {
  return Array.from({ length: recoveryCodeCount }, () =>
    Array.from({ length: groups }, randomGroup).join('-'),
  );
}

function randomGroup(): string {
  return Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Returns a new code for an e-mail: six digits. */
export function createSentCode(): string {
  return String(randomInt(10 ** sentDigits)).padStart(sentDigits, '0');
}

/** Returns a code as it was given out, however it was typed. */
export function normalizeCode(code: string): string {
  return typedCode(code).toLowerCase();
}

const hashOf = (adminId: string, code: string) =>
  createHash('sha256')
    .update(`${adminId} ${normalizeCode(code)}`)
    .digest();

interface StoredRecoveryCode {
  readonly id: string;
  readonly sealed_hash: string;
}

/** Returns what is stored of a recovery code: a hash, sealed, because 50 bits can be guessed from a hash alone. */
export function sealRecoveryCode(box: SecretBox, adminId: string, code: string): StoredRecoveryCode {
  const id = randomUUID();
  return {
    id,
    sealed_hash: box.seal(hashOf(adminId, code).toString('base64url'), purposeOf('recovery', id)),
  };
}

/** Reports whether a code is the one that was stored. */
export function isRecoveryCode(
  box: SecretBox,
  adminId: string,
  code: string,
  { id, sealed_hash }: StoredRecoveryCode,
): boolean {
  const stored = Buffer.from(box.open(sealed_hash, purposeOf('recovery', id)), 'base64url');
  const given = hashOf(adminId, code);
  return stored.length === given.length && timingSafeEqual(stored, given);
}

/** Six digits every 30 seconds, by HMAC-SHA-1: RFC 6238 as every authenticator app has it. */
const form = { issuer: 'Backoffice', algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** A code of the step before or after is accepted too, because clocks differ and people need time to type. */
const window = 1;
const secretBytes = 20;

// Loaded with the first code, because most processes never need it.
const library = () => import('otpauth');

/** Returns a new secret from a CSPRNG, as Base32, and as a URI for a QR code. */
export async function createTotpSecret(email: string) {
  const { Secret, TOTP } = await library();
  const secret = new Secret({ size: secretBytes });
  return { secret: secret.base32, uri: new TOTP({ ...form, label: email, secret }).toString() };
}

const codeForm = /^\d{6}$/;

/** Returns the time step that a code belongs to, and the current one, or null if the code is wrong. */
export async function stepOfCode(secret: string, code: string) {
  // The library throws for a code with more bytes than digits.
  if (!codeForm.test(code)) return null;
  const { Secret, TOTP } = await library();
  const totp = new TOTP({ ...form, secret: Secret.fromBase32(secret) });
  const timestamp = Date.now();
  const delta = totp.validate({ token: code, timestamp, window });
  const now = totp.counter({ timestamp });
  return delta === null ? null : { step: now + delta, now };
}
