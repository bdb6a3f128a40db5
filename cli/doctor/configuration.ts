import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, configProblems, unknownVariables } from '../../src/config.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/** Does every variable of the environment have a value that it takes? */
export function checkConfiguration(): Finding[] {
  const wrong = configProblems().map((problem) =>
    failed('configuration', problem, `Set it right, or leave it out: unset ${problem.split(' ', 1)[0]}`),
  );
  const unknown = unknownVariables().map((name) =>
    warning('configuration', `${name} is no variable of Backoffice.`, 'See docs/cli.md for its right name.'),
  );
  return wrong.length + unknown.length > 0
    ? [...wrong, ...unknown]
    : [ok('configuration', 'every variable is right')];
}

/** Is there a secret for the session cookies? */
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
  if (isKept) return ok(check, `not set; up keeps one in ${file}`);
  // With a Postgres of one's own it is probably `serve` that runs, on more than one machine.
  if (databaseUrl === undefined) return ok(check, 'not set; up makes one when it starts');
  return warning(
    check,
    'not set: up makes one of this machine alone, and serve does not start',
    'Set SESSION_SECRET to the same for every instance, such as what openssl rand -base64 33 prints.',
  );
}
