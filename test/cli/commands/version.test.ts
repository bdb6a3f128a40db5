import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { backoffice } from '../../support/run.ts';

test('names the version of package.json and the commit that was built', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  const shown = JSON.parse((await backoffice(['version', '--json'])).stdout);
  // Null in a downloaded archive.
  const commit = expect.toBeOneOf([null, expect.stringMatching(/^[0-9a-f]{40}(-dirty)?$/)]);
  expect(shown).toEqual({ version, commit });
  expect(await backoffice(['version'])).toEqual({
    code: 0,
    stdout: `Backoffice ${version} (commit ${shown.commit ?? 'unknown'})\n`,
    stderr: '',
  });
});
