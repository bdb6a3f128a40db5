import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, configProblems, unknownVariables } from '../../src/config.ts';
import { createSecretBox } from '../../src/services/secrets/secret-box.ts';
import { existingEncryptionKeys } from '../access/database.ts';
import { untrustedProxy } from '../operate/warnings.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/** Checks that every environment variable has a valid value. */
export function checkConfiguration(): Finding[] {
  const invalid = configProblems().map((problem) =>
    failed('configuration', problem, `Correct it, or run \`unset ${problem.split(' ', 1)[0]}\`.`),
  );
  const unknown = unknownVariables().map((name) =>
    warning('configuration', `Unknown variable: ${name}.`, 'Check its name in docs/cli.md.'),
  );
  return invalid.length + unknown.length > 0
    ? [...invalid, ...unknown]
    : [ok('configuration', 'all variables are valid')];
}

/** Checks that a proxy which must be there is trusted. */
export function checkProxy(config: Config): Finding[] {
  const problem = untrustedProxy(config);
  if (problem === undefined) return [];
  return [warning('proxy', problem, 'Set TRUST_PROXY to the number of proxies in front of the service.')];
}

/** Checks that there is a secret for the session cookies. */
export async function checkSessionSecret(config: Config): Promise<Finding> {
  const check = 'session secret';
  const { sessionSecrets, dataDirectory, databaseUrl } = config;
  if (sessionSecrets !== undefined) {
    return ok(check, sessionSecrets.length === 1 ? 'set' : `set, with ${sessionSecrets.length - 1} older`);
  }
  const file = join(dataDirectory, 'session-secret');
  const isKept = await access(file).then(
    () => true,
    () => false,
  );
  if (isKept) return ok(check, `not set; \`backoffice up\` uses the one in ${file}`);
  // With an external Postgres the service is probably run by `serve`, on several machines.
  if (databaseUrl === undefined) return ok(check, 'not set; `backoffice up` creates one when it starts');
  return warning(
    check,
    'not set: `backoffice serve` does not start without it, and `backoffice up` uses one that other machines do not have',
    'Set SESSION_SECRET to the same value for every instance. `openssl rand -base64 33` generates one.',
  );
}

/** Checks that there is a key for the stored secrets. */
export async function checkEncryptionKey(config: Config): Promise<Finding> {
  const check = 'encryption key';
  const { keyIds } = createSecretBox(await existingEncryptionKeys(config));
  const [newest, ...older] = keyIds;
  if (newest !== undefined) {
    return ok(
      check,
      older.length === 0 ? newest : `${newest}, with ${older.length} older: ${older.join(', ')}`,
    );
  }
  if (config.databaseUrl === undefined)
    return ok(check, 'not set; one is created with the embedded database');
  return warning(
    check,
    'not set: the service stores no secrets, such as those of webhooks',
    'Set BACKOFFICE_ENCRYPTION_KEY to the same value for every instance. `openssl rand -base64 32` generates one.',
  );
}
