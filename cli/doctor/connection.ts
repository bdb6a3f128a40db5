import { isIP } from 'node:net';
import { tlsModeOf } from '../../src/shared/database-tls.ts';
import { networkReasons } from '../access/remote.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/**
 * Checks that what is sent to a database on another machine is encrypted, and that the machine has to prove its name.
 * Finds nothing if the database is on this machine or, like a container's, has a name that only its own network knows.
 */
export function checkDatabaseTls(databaseUrl: string): Finding[] {
  const check = 'database encryption';
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

const addAuthority = "Add sslrootcert=<file> with the authority's certificate";

/** The advice for each error code of Postgres or the system. */
const advices: Readonly<Record<string, string>> = {
  ENOTFOUND: 'Check the host name',
  EAI_AGAIN: 'Check the host name and the network',
  ECONNREFUSED: 'Start Postgres, or check the host and port',
  EHOSTUNREACH: 'Check the host and the network',
  '28P01': 'Check the user and password',
  '28000': 'Check the user, and pg_hba.conf of Postgres',
  '3D000': 'Create the database, or check its name',
  SELF_SIGNED_CERT_IN_CHAIN: addAuthority,
  DEPTH_ZERO_SELF_SIGNED_CERT: addAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: addAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: addAuthority,
  CERT_HAS_EXPIRED: 'Renew the certificate of Postgres',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Connect by a name that the certificate has',
  '53300': 'Close some connections, or raise max_connections',
};

const reasons: Readonly<Record<string, string>> = {
  ...networkReasons,
  '28P01': 'wrong user or password',
  '28000': 'the user is not allowed to connect',
  '3D000': 'no such database',
  '53300': 'no connections left',
};

/** Describes why a server is unreachable, without the password. */
export function describeUnreachable(
  check: string,
  variable: string,
  databaseUrl: string,
  error: unknown,
): Finding {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = reasons[code] ?? (message || code);
  const advice = advices[code] ?? 'Check the URL, and that Postgres is running';
  const { host, pathname } = new URL(databaseUrl);
  return failed(check, `cannot connect to ${host}${pathname}: ${reason}`, `${advice} (${variable}).`);
}
