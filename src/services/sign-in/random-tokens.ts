import { createHash, randomBytes } from 'node:crypto';
import type { invitationPath, resetPasswordPath } from '../../contract/pages.ts';

/** Returns a new token that only its receiver knows, and the hash of it to store. */
export function newToken(prefix = ''): { readonly token: string; readonly tokenHash: Buffer } {
  const token = prefix + randomBytes(32).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}

/** Returns the hash to store. It needs no salt, because 32 random bytes cannot be guessed. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Returns the path of a page with its token. The token is in the fragment, which browsers do not send: it reaches neither
 * the logs of a proxy nor another site.
 */
export function linkPath(
  page: typeof invitationPath | typeof resetPasswordPath,
  fields: Readonly<Record<string, string>>,
): string {
  return `${page}#${new URLSearchParams(fields)}`;
}
