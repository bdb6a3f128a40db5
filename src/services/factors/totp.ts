/** Six digits every 30 seconds, by HMAC-SHA-1: RFC 6238 as every authenticator app has it. */
const form = { issuer: 'Backoffice', algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** A code of the step before or after is accepted too, because clocks differ and people need time to type. */
const window = 1;
const secretBytes = 20;

// Loaded with the first code, because most processes never need it.
const library = () => import('otpauth');

/** The secret of an authenticator app, as Base32, and as a URI for a QR code. */
export interface TotpSecret {
  readonly secret: string;
  readonly uri: string;
}

/** Returns a new secret from a CSPRNG. */
export async function createTotpSecret(email: string): Promise<TotpSecret> {
  const { Secret, TOTP } = await library();
  const secret = new Secret({ size: secretBytes });
  return { secret: secret.base32, uri: new TOTP({ ...form, label: email, secret }).toString() };
}

/** The time step that a code belongs to, and the current one. */
export interface TotpStep {
  readonly step: number;
  readonly now: number;
}

/** Returns the time step of a code, or null if the code is wrong. */
export async function stepOfCode(secret: string, code: string): Promise<TotpStep | null> {
  const { Secret, TOTP } = await library();
  const totp = new TOTP({ ...form, secret: Secret.fromBase32(secret) });
  const timestamp = Date.now();
  const delta = totp.validate({ token: code, timestamp, window });
  const now = totp.counter({ timestamp });
  return delta === null ? null : { step: now + delta, now };
}
