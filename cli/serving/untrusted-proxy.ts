import type { Config } from '../../src/config.ts';

/** What is wrong if a proxy must be in front and none is trusted. For `up` and `doctor`. Undefined if nothing is. */
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
