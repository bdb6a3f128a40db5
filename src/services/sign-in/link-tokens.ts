import { createHash, randomBytes } from 'node:crypto';
import type { invitationPath, resetPasswordPath } from '../../contract/pages.ts';

/** The secret of a link, and what is stored of it. */
export interface LinkToken {
  readonly token: string;
  readonly tokenHash: Buffer;
}

/** Returns a new token for a link. */
export function newLinkToken(): LinkToken {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashLinkToken(token) };
}

/** Returns the hash to store. It needs no salt, because 32 random bytes cannot be guessed. */
export function hashLinkToken(token: string): Buffer {
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
