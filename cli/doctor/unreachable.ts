import { type Finding, failed } from './finding.ts';

/** Reasons by the code of Postgres or of the system, and what mends each. */
const reasons: Readonly<Record<string, readonly [reason: string, mend: string]>> = {
  ENOTFOUND: ['its host is unknown', 'Check the host name'],
  EAI_AGAIN: ['its host is unknown at the moment', 'Check the host name and the network'],
  ECONNREFUSED: ['nothing listens there', 'Start Postgres, or check host and port'],
  EHOSTUNREACH: ['its host cannot be reached', 'Check the host and the network'],
  '28P01': ['it refuses user and password', 'Check user and password'],
  '28000': ['it refuses the user', "Check the user, and Postgres' pg_hba.conf"],
  '3D000': ['it has no such database', 'Create the database, or check its name'],
  '53300': ['it has no connection left', 'End what holds them, or raise max_connections'],
};

/** Why a server cannot be asked, in a person's words. The password never shows. */
export function describeUnreachable(
  check: string,
  variable: string,
  databaseUrl: string,
  error: unknown,
): Finding {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const [reason, mend] = reasons[code] ?? [message || code, 'Check the URL and that Postgres runs'];
  const { host, pathname } = new URL(databaseUrl);
  return failed(check, `${host}${pathname} cannot be reached: ${reason}`, `${mend} (${variable}).`);
}
