import type { Config } from '../../src/config.ts';

// What `up` says and `doctor` warns of.

/** What the API contract allows, and how to close it. Unless the roles are strict. */
export const contractRoles =
  'every signed-in person can set the password of every account, also of a superadmin; to prevent that, start with BACKOFFICE_STRICT_ROLES=1';

/** Says what is wrong if a proxy must be in front and none is trusted. Returns undefined if nothing is. */
export function untrustedProxy({
  trustProxy,
  isPublicUrlSet,
  publicUrl,
}: Pick<Config, 'trustProxy' | 'isPublicUrlSet' | 'publicUrl'>): string | undefined {
  // The service itself has no TLS.
  const hasProxy = isPublicUrlSet && publicUrl.startsWith('https:');
  return hasProxy && trustProxy === 0
    ? 'BACKOFFICE_PUBLIC_URL is HTTPS, so a proxy is in front, but TRUST_PROXY is 0: every client has the address of the proxy'
    : undefined;
}
