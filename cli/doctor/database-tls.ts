import { isIP } from 'node:net';
import { tlsModeOf } from '../../src/shared/database-tls.ts';
import { type Finding, ok, warning } from './finding.ts';

const check = 'database encryption';

/**
 * Checks that what is sent to a database on another machine is encrypted, and that the machine has to prove its name.
 * Finds nothing if the database is on this machine or, like a container's, has a name that only its own network knows.
 */
export function checkDatabaseTls(databaseUrl: string): Finding[] {
  const { hostname } = new URL(databaseUrl);
  const mode = tlsModeOf(databaseUrl);
  if (mode === 'verified') return [ok(check, `TLS, and the certificate of ${hostname} is checked`)];
  if (isNear(decodeURIComponent(hostname))) return [];
  return mode === 'unverified'
    ? [
        warning(
          check,
          `${hostname} need not prove that it is the right server: sslmode is no-verify`,
          'Use sslmode=verify-full in the URL, and sslrootcert=<file> if the authority is your own.',
        ),
      ]
    : [
        warning(
          check,
          `the connection to ${hostname} is not encrypted`,
          'Add sslmode=verify-full to the URL. If the authority is your own, add sslrootcert=<file> too.',
        ),
      ];
}

/** Reports whether a host is this machine (also by a Unix socket) or a name of a private network. */
function isNear(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) return address === '::1' || address.startsWith('127.');
  return !address.includes('.') || address.startsWith('/');
}
