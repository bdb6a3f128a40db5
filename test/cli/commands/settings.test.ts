import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { anyCharacter } from '../../support/any-character.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { checksOf, commandsHere, containing, done, failed, failedLike } from '../commands-here.ts';

const here = commandsHere();

afterEach(() => here.sql('delete from settings'));

const run = (words: string, ...texts: string[]) => here.run(`settings ${words}`, ...texts);
const runWith = (stdin: string, words: string, ...texts: string[]) =>
  here.runWith(stdin, `settings ${words}`, ...texts);
const { succeeds, fails } = checksOf(run);
const printed = (words: string) => here.printed(`settings ${words}`);

test('exports and imports every possible key and value', async () => {
  // Postgres cannot store NUL or half of a surrogate pair.
  const text = fc.string({ unit: anyCharacter, maxLength: 60 }).map((value) => value.replaceAll('\0', ''));
  const pairs = fc.sample(fc.tuple(text, text), { numRuns: 400, seed: 7 });
  const special: [string, string][] = [
    ['', 'an empty key'],
    ['__proto__', 'a key like any other'],
    [' spaces ', ' kept \n\t as they are '],
    ['long', 'x'.repeat(100_000)],
    ['k'.repeat(1_024), 'the longest key'],
  ];
  const settings = JSON.stringify(Object.fromEntries([...pairs, ...special]));
  expect(await runWith(settings, 'import -')).toMatchObject({ code: 0 });
  const exported = (await run('export')).stdout;
  expect(Object.entries(JSON.parse(exported)).sort()).toEqual(Object.entries(JSON.parse(settings)).sort());
  expect(await runWith(exported, 'import -')).toMatchObject({ code: 0 });
  expect((await run('export')).stdout).toBe(exported);
});

test('sets, gets and removes a setting, whose value passes from `get` to `set` as it is', async () => {
  await succeeds('set "site name" "  My site "', 'Set site name.');
  await succeeds('get "site name"', '  My site ');
  await run('set motto two\nlines\n');
  for (let round = 0; round < 2; round++)
    expect(await runWith((await run('get motto')).stdout, 'set motto -')).toMatchObject({ code: 0 });
  expect(await printed('get motto --json')).toEqual({ key: 'motto', value: 'two\nlines\n' });
  await fails(2, 'unset "site name"');
  await succeeds('unset "site name" --yes');
  await fails(3, 'get "site name"', 'No setting site name. Run `backoffice settings list` to see all.');
  await fails(3, 'unset "site name" --yes');
});

test('sets a setting only if it has the expected value', async () => {
  await succeeds('set motto a');
  await succeeds('set motto b --expected a');
  await fails(1, 'set motto c --expected a', 'Changed meanwhile: motto has another value now.');
  await succeeds('get motto', 'b');
});

test('checks the settings that the service reads, shows how it reads them, and stores others with --force', async () => {
  const budgets = '{"total":"500.00","models":{"large":"10"}}';
  const read = 'Token budgets: 500.00 USD a month for all models, 10 USD for large.';
  const set = await run('set token_budgets', budgets);
  expect(set).toEqual({ ...done(`Set token_budgets.\n${read}`), stderr: '' });
  const unreadable =
    /^backoffice: The setting token_budgets is not a JSON object\. Expected .*\nNothing was changed\. Add --force to store it anyway\.\n$/;
  await fails(2, 'set token_budgets {"total":"500.00"', unreadable);
  const mars = '{"timezone":"Mars/Olympus","audit_retention_days":"7","motto":"Be kind"}';
  const refused = await runWith(mars, 'import -');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('The setting timezone must be a zone of the IANA database');
  expect(refused.stderr).toContain('The setting audit_retention_days must be a number of days');
  expect(await printed('export')).toEqual({ token_budgets: budgets });
  const forced = await runWith(mars, 'import - --force');
  expect(forced).toMatchObject(done('Imported 3 new, 0 changed.'));
  expect(forced.stderr).toContain('Warning: The setting timezone must be a zone');
  expect(forced.stderr).toContain('Time zone: unreadable, so it counts as not set.');
  await succeeds('get timezone', 'Mars/Olympus');
});

test('asks before an import replaces values, and shows the changes with --dry-run', async () => {
  await run('set kept old');
  const wanted = '{"kept":"new","added":"1"}';
  const changes = '+ "added"\n~ "kept"\n';
  expect(await runWith(wanted, 'import - --dry-run')).toEqual({
    ...done('Would import 1 new, 1 changed.'),
    stderr: changes,
  });
  const question = 'Replace 1 value? There is no terminal to confirm this. Add --yes to confirm.';
  const refused = failed(2, question);
  expect(await runWith(wanted, 'import -')).toEqual({ ...refused, stderr: changes + refused.stderr });
  await succeeds('get kept', 'old');
  expect(await runWith(wanted, 'import - --yes')).toMatchObject(done('Imported 1 new, 1 changed.'));
  await succeeds('get kept', 'new');
});

test('names secret settings without their values, which can be set again and deleted', async () => {
  await run('set motto', 'Be kind');
  await run('set --secret token t0ken');
  await succeeds('list', 'motto\tBe kind\ntoken\t(secret)', '');
  await succeeds('list --jsonl', '{"key":"motto","value":"Be kind"}\n{"key":"token","value":null}');
  expect(await printed('list --json')).toMatchObject({
    settings: { motto: 'Be kind' },
    details: { motto: { is_secret: false }, token: { is_secret: true } },
  });
  await succeeds('get motto', 'Be kind');
  const reason = 'The setting token is secret: its value is shown to nobody. Set it again to replace it.';
  await fails(1, 'get token', reason);

  const exported = await succeeds('export', undefined, 'Left out, because they are secret: token.');
  expect(JSON.parse(exported.stdout)).toEqual({ motto: 'Be kind' });
  const again = await runWith(exported.stdout, 'import - --yes');
  expect(again).toMatchObject(done('Imported 0 new, 0 changed.'));

  // The value that it has counts as changed: nobody may tell whether it is the same.
  const same = await runWith('{"motto":"Be kind","token":"t0ken"}', 'import - --yes');
  expect(same).toEqual({ ...done('Imported 0 new, 1 changed.'), stderr: '~ "token"\n' });
  const secret = containing('token is secret, so expected cannot compare its value.');
  for (const guess of ['t0ken', 'other']) await fails(2, `set token new --expected ${guess}`, secret);
  await succeeds('list --jsonl', containing('{"key":"token","value":null}'));
  await succeeds('unset token --yes', 'Deleted token.');
});

test('an import that is refused on its way says how many settings it has stored', async () => {
  // The last key is too long. A request takes a thousand.
  const keys = [...Array.from({ length: 1_000 }, (_, n) => `key ${n}`), 'k'.repeat(1_025)];
  const settings = JSON.stringify(Object.fromEntries(keys.map((key) => [key, ''])));
  const { code, stdout, stderr } = await runWith(settings, 'import -');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(
    /\nImported 1,000 of 1,001 settings\. Import the file again for the others\.\nbackoffice: /,
  );
});

test.each([
  ['nonsense', 'is not valid JSON'],
  ['[1]', 'is not a JSON object'],
  ['{"a":1}', 'must have only string values. The value of "a" is not a string'],
])('refuses to import %s', async (content, sentence) => {
  const refused = failedLike(2, `backoffice: Standard input ${sentence}`);
  expect(await runWith(content, 'import -')).toMatchObject(refused);
});

test('imports a file, and names one that it cannot read or use', async () => {
  const file = join(await temporaryFolder(), 'settings.json');
  await writeFile(file, '{"motto":"Be kind"}');
  await succeeds(`import ${file}`, 'Imported 1 new, 0 changed.');
  await writeFile(file, 'nonsense');
  await fails(2, `import ${file}`, containing(`${file} is not valid JSON`));
  await fails(2, 'import /nowhere/settings.json', 'Cannot read /nowhere/settings.json (ENOENT).');
});
