import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { rolesHelp, rolesTable } from '../../src/contract/roles.ts';

test.each([
  ['docs/api.md', rolesTable],
  ['docs/operations.md', rolesTable],
])('%s says what each role may do', async (file, text) => {
  expect(await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')).toContain(text);
});

test('the help of each command that gives a role says what it may do', async () => {
  const page = await readFile(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  expect(page.match(/^\| `--role <role>` .+$/gm)).toEqual(
    Array.from({ length: 4 }, () => expect.stringContaining(rolesHelp)),
  );
});
