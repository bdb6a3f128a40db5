import { chmod, lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../cli/errors.ts';
import { openPreferences } from '../../../cli/tui/preferences.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('preferences.json', () => {
  const fileOf = async (text?: string) => {
    const file = join(await temporaryFolder(), 'config', 'preferences.json');
    if (text === undefined) return file;
    const here = join(await temporaryFolder(), 'preferences.json');
    await writeFile(here, text);
    return here;
  };

  test('is created, and keeps what this version does not know', async () => {
    const file = await fileOf();
    const store = await openPreferences(file);
    expect(store.get()).toEqual({});
    await store.change((before) => ({ ...before, theme: 'light' }));
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ theme: 'light' });
    await writeFile(file, '\uFEFF{\r\n  "theme": "dark",\r\n  "later": { "a": [1] }\r\n}\r\n');
    const again = await openPreferences(file);
    await again.change((before) => ({ ...before, theme: 'high-contrast' }));
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ theme: 'high-contrast', later: { a: [1] } });
    expect(await readdir(join(file, '..'))).toEqual(['preferences.json']);
  });

  test('keeps the changes of two dashboards, and the order of quick changes of one', async () => {
    const file = await fileOf('{}');
    const [one, other] = [await openPreferences(file), await openPreferences(file)];
    await one.change((before) => ({ ...before, theme: 'light' }));
    await other.change((before) => ({ ...before, later: 1 }));
    await Promise.all(
      (['dark', 'auto', 'light'] as const).map((theme) => other.change((before) => ({ ...before, theme }))),
    );
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ theme: 'light', later: 1 });
  });

  test.each([
    ['{\n  "theme": "light",\n}', /preferences\.json, line 3: The text is not valid JSON\./],
    ['{\n  "theme":', /preferences\.json, line 2: The text is not valid JSON\./],
    ['[]', /preferences\.json, line 1: The file must hold a JSON object/],
    ['{\n\n  "theme": "pink"\n}', /preferences\.json, line 3: theme is invalid\. .*"high-contrast"/],
  ])('is refused with its line and stays if it is damaged: %j', async (text, sentence) => {
    const file = await fileOf(text);
    const opened = openPreferences(file);
    await expect(opened).rejects.toThrow(UsageError);
    await expect(opened).rejects.toThrow(sentence);
    await writeFile(file, '{}');
    const store = await openPreferences(file);
    await writeFile(file, text);
    await expect(store.change((before) => ({ ...before, theme: 'dark' }))).rejects.toThrow(sentence);
    expect(await readFile(file, 'utf8')).toBe(text);
    // The choice applies until the dashboard ends.
    expect(store.get().theme).toBe('dark');
  });

  test('stays a link to another file', async () => {
    const target = await fileOf('{}');
    const file = join(await temporaryFolder(), 'preferences.json');
    await symlink(target, file);
    const store = await openPreferences(file);
    await store.change((before) => ({ ...before, theme: 'dark' }));
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect(await readFile(target, 'utf8')).toContain('dark');
  });

  test('may be somewhere that cannot be written', async () => {
    const file = join(await temporaryFolder(), 'no-folder');
    await writeFile(file, '');
    await chmod(file, 0o400);
    const below = join(file, 'preferences.json');
    await expect(openPreferences(below)).rejects.toThrow(`Cannot read ${below} (ENOTDIR).`);
  });
});
