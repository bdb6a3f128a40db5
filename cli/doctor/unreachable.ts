import { type Finding, failed } from './finding.ts';

const unknownIssuer = [
  'its certificate is from an unknown authority',
  "Add sslrootcert=<file> with the authority's certificate",
] as const;

/** The reason and the advice for each error code of Postgres or the system. */
const reasons: Readonly<Record<string, readonly [reason: string, advice: string]>> = {
  ENOTFOUND: ['unknown host', 'Check the host name'],
  EAI_AGAIN: ['the host name cannot be resolved at the moment', 'Check the host name and the network'],
  ECONNREFUSED: ['nothing listens there', 'Start Postgres, or check the host and port'],
  EHOSTUNREACH: ['the host is unreachable', 'Check the host and the network'],
  '28P01': ['wrong user or password', 'Check the user and password'],
  '28000': ['the user is not allowed to connect', 'Check the user, and pg_hba.conf of Postgres'],
  '3D000': ['no such database', 'Create the database, or check its name'],
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  CERT_HAS_EXPIRED: ['its certificate has expired', 'Renew the certificate of Postgres'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'its certificate is for another name',
    'Connect by a name that the certificate has',
  ],
  '53300': ['no connections left', 'Close some connections, or raise max_connections'],
};

/** Describes why a server is unreachable, without the password. */
export function describeUnreachable(
  check: string,
  variable: string,
  databaseUrl: string,
  error: unknown,
): Finding {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const [reason, advice] = reasons[code] ?? [message || code, 'Check the URL, and that Postgres is running'];
  const { host, pathname } = new URL(databaseUrl);
  return failed(check, `cannot connect to ${host}${pathname}: ${reason}`, `${advice} (${variable}).`);
}
