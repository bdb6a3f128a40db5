import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../../cli/errors.ts';
import { actions } from '../../../cli/tui/keys/actions.ts';
import { conflictsOf, createKeymap, keyName } from '../../../cli/tui/keys/keymap.ts';
import { readKeymap } from '../../../cli/tui/keys/remap.ts';
import { chains, scopeOf, scopeTitles } from '../../../cli/tui/keys/scopes.ts';
import { strokesOf } from '../../../cli/tui/keys/strokes.ts';

describe('the table of keys', () => {
  test('has no key with two actions in a chain', () => {
    expect(conflictsOf(createKeymap())).toEqual([]);
  });

  test('finds a key with two actions in a chain', () => {
    const twice = createKeymap({ 'issues.create': ['s'], 'list.down': ['q'] });
    expect(conflictsOf(twice)).toContain('s is assigned to both issues.status and issues.create.');
    expect(conflictsOf(twice)).toContain('q is assigned to both global.quit and list.down.');
  });

  test('finds a key that starts another one', () => {
    const start = createKeymap({ 'text.deleteToEnd': ['ctrl+x'] });
    expect(conflictsOf(start)).toContain(
      'ctrl+x is assigned to text.deleteToEnd, and ctrl+x ctrl+e to compose.external starts with it.',
    );
  });

  test('has unique ids, and every scope is in a chain', () => {
    const ids = actions.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const opened = new Set<string>(Object.values(chains).flat());
    expect(Object.keys(scopeTitles).filter((scope) => !opened.has(scope))).toEqual([]);
    expect(ids.filter((id) => !opened.has(scopeOf(id)))).toEqual([]);
  });

  test.each([
    ['ctrl+s', 'Ctrl-S'],
    ['shift+down', 'Shift-↓'],
    ['j', 'j'],
    ['G', 'G'],
    ['pagedown', 'PgDn'],
    ['ctrl+x ctrl+e', 'Ctrl-X Ctrl-E'],
  ])('displays %s as %s', (key, name) => {
    expect(keyName(key)).toBe(name);
  });
});

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

describe('key presses', () => {
  const none = {} as Parameters<typeof strokesOf>[1];

  test('are separated if several arrive together', () => {
    expect(strokesOf('ab\r\u0013é ', none).map(({ key }) => key)).toEqual([
      'a',
      'b',
      'enter',
      'ctrl+s',
      'é',
      'space',
    ]);
  });

  test('include their modifiers', () => {
    expect(strokesOf('', { ...none, tab: true, shift: true })).toEqual([{ key: 'shift+tab' }]);
    expect(strokesOf('s', { ...none, ctrl: true })).toEqual([{ key: 'ctrl+s' }]);
    expect(strokesOf('', { ...none, meta: true, return: true })).toEqual([{ key: 'alt+enter' }]);
    expect(strokesOf('', { ...none, escape: true })).toEqual([{ key: 'esc' }]);
  });

  test('have one character per grapheme', () => {
    expect(strokesOf('👩‍👩‍👧é', none).map(({ text }) => text)).toEqual(['👩‍👩‍👧', 'é']);
  });
});
