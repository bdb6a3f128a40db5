import { type Finding, failed } from './finding.ts';

/** The reason and the advice for each error code of Postgres or the system. */
const reasons: Readonly<Record<string, readonly [reason: string, advice: string]>> = {
  ENOTFOUND: ['unknown host', 'Check the host name'],
  EAI_AGAIN: ['the host name cannot be resolved at the moment', 'Check the host name and the network'],
  ECONNREFUSED: ['nothing listens there', 'Start Postgres, or check the host and port'],
  EHOSTUNREACH: ['the host is unreachable', 'Check the host and the network'],
  '28P01': ['wrong user or password', 'Check the user and password'],
  '28000': ['the user is not allowed to connect', 'Check the user, and pg_hba.conf of Postgres'],
  '3D000': ['no such database', 'Create the database, or check its name'],
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
