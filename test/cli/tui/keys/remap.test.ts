import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../../../cli/errors.ts';
import { readKeymap } from '../../../../cli/tui/keys/remap.ts';

describe('keys.json', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backoffice-keys-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const read = async (text: string) => {
    const file = join(folder, 'keys.json');
    await writeFile(file, text);
    return await readKeymap(file);
  };

  test('may be missing, unless the user names it', async () => {
    const file = join(folder, 'none.json');
    const keymap = await readKeymap(file, { isOptional: true });
    expect(keymap.find('issues', 's')).toBe('issues.status');
    await expect(readKeymap(file)).rejects.toThrow(new UsageError(`File not found: ${file}.`));
  });

  test('replaces the keys of an action', async () => {
    const keymap = await read('{"issues.status": "c", "global.quit": ["Q", "ctrl+q"]}');
    expect(keymap.find('issues', 'c')).toBe('issues.status');
    expect(keymap.find('issues', 's')).toBeUndefined();
    expect(keymap.find('charts', 'ctrl+q')).toBe('global.quit');
    const functionKeys = await read('{"global.help": "f1", "global.refresh": "shift+f12"}');
    expect(functionKeys.find('issues', 'f1')).toBe('global.help');
    expect(functionKeys.find('issues', 'shift+f12')).toBe('global.refresh');
    await expect(read('{"global.help": "f13"}')).rejects.toThrow('invalid key for global.help: f13.');
  });

  test.each([
    ['{', /keys\.json is not valid JSON/],
    ['[]', /must be a JSON object of action names and keys/],
    ['{"issues.status": 1}', /must be a JSON object of action names and keys/],
    ['{"issues.explode": "x"}', /unknown action: issues\.explode\. Closest matches: issues\.\w+, issues\./],
    ['{"issue.stauts": "x"}', /unknown action: issue\.stauts\. Closest matches: issues\.status, /],
    [
      '{"issues.status": "control-x"}',
      /invalid key for issues\.status: control-x\. Use a character, or a name/,
    ],
    ['{"issues.status": "n"}', /n is assigned to both issues\.status and issues\.create/],
  ])('rejects %s with a sentence', async (text, sentence) => {
    const refused = read(text);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(sentence);
  });
});
