import type { Factor } from './profile-queries.ts';

const kinds = { totp: 'Authenticator app', passkey: 'Passkey' } as const;

/** Returns the kind of a factor in words. */
export function kindOf({ type }: Pick<Factor, 'type'>): string {
  return kinds[type];
}

/** Returns what its owner calls a factor, or else its kind. */
export function nameOf(factor: Pick<Factor, 'type' | 'name'>): string {
  return factor.name === '' ? kindOf(factor) : factor.name;
}

/** Reports whether this browser has passkeys on this page. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window;
}
