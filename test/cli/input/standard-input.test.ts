import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { executable, withoutEnvironment } from '../../support/run/process.ts';

/** A text that starts in UTF-8 and goes on in Latin-1. */
const latin1 = Buffer.from('pässword', 'latin1');

test.each([
  [['admins', 'create', '--email', 'ada@example.com', '--password-stdin'], 'Standard input'],
  [['settings', 'set', 'motto', '-'], 'Standard input'],
  [['settings', 'import', '-'], 'Standard input'],
  [['usage', 'ingest', '-'], 'Standard input'],
])('%j refuses input that is not UTF-8, and stores nothing', (args, source) => {
  const { status, stderr } = spawnSync(process.execPath, [executable, ...args], {
    input: latin1,
    encoding: 'utf8',
    env: { ...withoutEnvironment(), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } as NodeJS.ProcessEnv,
  });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `backoffice: ${source} is not valid UTF-8. Convert it to UTF-8 first.\n`,
  });
});
