// What the addresses of servers and pages say.

/** Reports whether a text is what a browser sends as `Origin`: no path, no trailing slash, no default port. */
export const isOrigin = (value: string) => /^https?:/.test(value) && URL.parse(value)?.origin === value;

/** Returns what the URL of a mail server names. Without a port, it is 0. */
export function readMailServerUrl(text: string) {
  const { protocol, hostname, port, username, password } = new URL(text);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: Number(port),
    /** Whether the connection begins with TLS. */
    secure: protocol === 'smtps:' || protocol === 'imaps:',
    user: decodeURIComponent(username),
    pass: decodeURIComponent(password),
    isLoopback: host === 'localhost' || host === '::1' || /^127\./.test(host),
  };
}

const modePattern = /(?<=[?&]sslmode=)[^&#]*/;

/** The values of `sslmode` that a connection can keep. `allow` and `prefer` would go on without TLS. */
const modes: Readonly<Record<string, TlsMode>> = {
  disable: 'off',
  'no-verify': 'unverified',
  require: 'verified',
  'verify-ca': 'verified',
  'verify-full': 'verified',
};

/** Whether a connection is encrypted, and whether the server must prove with its certificate that it has its name. */
type TlsMode = 'off' | 'unverified' | 'verified';

/**
 * Returns what a Postgres connection URI asks for with `sslmode`. Undefined if it asks for something else than `disable`,
 * `no-verify`, `require`, `verify-ca` or `verify-full`.
 */
export function tlsModeOf(databaseUrl: string): TlsMode | undefined {
  const mode = modePattern.exec(databaseUrl)?.[0];
  if (mode !== undefined) return modes[mode];
  // A certificate asks for TLS too.
  return /[?&]ssl(cert|rootcert)=/.test(databaseUrl) ? 'verified' : 'off';
}

/** Writes the modes that check the certificate with one word: `pg` warns about `require`, which it will understand differently. */
export const withVerifiedMode = (databaseUrl: string) =>
  databaseUrl.replace(modePattern, (mode) => (modes[mode] === 'verified' ? 'verify-full' : mode));
