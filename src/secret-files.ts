import { readFileSync } from 'node:fs';
import { withoutByteOrderMark } from './shared/text.ts';

/**
 * The variables that hold secrets. Each may be given as a file instead, whose path is in the variable with `_FILE` behind
 * its name: the environment of a process is easier to read than a file, for example with `docker inspect`.
 */
export const secretVariables: readonly string[] = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_POOL_URL',
  'DATABASE_READ_URL',
  'BACKOFFICE_ADMIN_PASSWORD',
  'SESSION_SECRET',
  'BACKOFFICE_ENCRYPTION_KEY',
  'SMTP_URL',
  'IMAP_URL',
  'BACKOFFICE_TOKEN',
];

export interface WithSecrets {
  readonly env: NodeJS.ProcessEnv;
  /** One sentence for each file that cannot be used. */
  readonly problems: readonly string[];
}

/** Returns the environment with the contents of the files that variables such as `SESSION_SECRET_FILE` name. */
export function readSecretFiles(env: NodeJS.ProcessEnv): WithSecrets {
  const withSecrets = { ...env };
  const problems: string[] = [];
  for (const name of secretVariables) {
    const variable = `${name}_FILE`;
    const path = env[variable] ?? '';
    if (path === '') continue;
    if ((env[name] ?? '') !== '') {
      problems.push(`${variable} and ${name} are both set. Set only one of them.`);
      continue;
    }
    try {
      withSecrets[name] = readSecret(path);
    } catch (error) {
      problems.push(`${variable} names a file that cannot be read: ${(error as Error).message}.`);
    }
  }
  return { env: withSecrets, problems };
}

/** Reads a file without what editors add: a byte order mark at its start, and a line break at its end, as `openssl` does. */
function readSecret(path: string): string {
  const secret = withoutByteOrderMark(readFileSync(path, 'utf8')).replace(/\r?\n$/, '');
  if (secret === '') throw new Error(`${path} is empty`);
  return secret;
}
