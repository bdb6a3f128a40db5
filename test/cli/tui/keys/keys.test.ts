import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../../../cli/errors.ts';
import { helpLines } from '../../../../cli/tui/dialogs/help.tsx';
import { actions, chains, type Scope, scopeOf, scopeTitles } from '../../../../cli/tui/keys/actions.ts';
import { conflictsOf, createKeymap, keyName } from '../../../../cli/tui/keys/keymap.ts';
import { readKeymap } from '../../../../cli/tui/keys/remap.ts';
import { strokesOf } from '../../../../cli/tui/keys/strokes.ts';

describe('the table of keys', () => {
  test('binds no key twice among the scopes that are open together', () => {
    expect(conflictsOf(createKeymap())).toEqual([]);
  });

  test('would tell a key that is bound twice', () => {
    const twice = createKeymap({ 'issues.create': ['s'], 'list.down': ['q'] });
    expect(conflictsOf(twice)).toContain('s would do both issues.status and issues.create.');
    expect(conflictsOf(twice)).toContain('q would do both global.quit and list.down.');
  });

  test('names each action once, and opens each scope somewhere', () => {
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
  ])('says %s as %s', (key, name) => {
    expect(keyName(key)).toBe(name);
  });
});

describe('the help', () => {
  const scopes = Object.keys(scopeTitles) as Scope[];
  const lines = (keymap = createKeymap()) => helpLines(keymap, scopes).map(stripVTControlCharacters);

  test('has every key of every action whole', () => {
    expect(lines().join('\n')).not.toContain('…');
    expect(lines()).toContain('  Ctrl-W  Alt-Backspace  Delete the word before');
  });

  test('leaves room for what they do, however many somebody gave an action', () => {
    const many = createKeymap({ 'global.quit': ['Q', 'ctrl+q', 'alt+q', 'ctrl+x', 'alt+x', 'ctrl+y'] });
    expect(lines(many)).toContain('  Q  Ctrl-Q  Alt-Q  Ctrl-X  A…  Quit');
  });
});

describe('the file of other keys', () => {
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

  test('need not be there, unless somebody names it', async () => {
    const file = join(folder, 'none.json');
    const keymap = await readKeymap(file, { isOptional: true });
    expect(keymap.find('issues', 's')).toBe('issues.status');
    await expect(readKeymap(file)).rejects.toThrow(new UsageError(`There is no file ${file}.`));
  });

  test('gives an action other keys, and takes those of the table away', async () => {
    const keymap = await read('{"issues.status": "c", "global.quit": ["Q", "ctrl+q"]}');
    expect(keymap.find('issues', 'c')).toBe('issues.status');
    expect(keymap.find('issues', 's')).toBeUndefined();
    expect(keymap.find('charts', 'ctrl+q')).toBe('global.quit');
  });

  test.each([
    ['{', /keys\.json is not JSON/],
    ['[]', /must hold an object of actions and their keys/],
    ['{"issues.status": 1}', /must hold an object of actions and their keys/],
    ['{"issues.explode": "x"}', /there is no action issues\.explode: the nearest are issues\.\w+, issues\./],
    ['{"issue.stauts": "x"}', /there is no action issue\.stauts: the nearest are issues\.status, /],
    [
      '{"issues.status": "control-x"}',
      /issues\.status has the key control-x: it takes a character, or a name/,
    ],
    ['{"issues.status": "n"}', /n would do both issues\.status and issues\.create/],
  ])('%s is refused in a sentence', async (text, sentence) => {
    const refused = read(text);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(sentence);
  });
});

describe('what was pressed', () => {
  const none = {
    upArrow: false,
    downArrow: false,
    leftArrow: false,
    rightArrow: false,
    pageDown: false,
    pageUp: false,
    home: false,
    end: false,
    return: false,
    escape: false,
    ctrl: false,
    shift: false,
    tab: false,
    backspace: false,
    delete: false,
    meta: false,
    super: false,
    hyper: false,
    capsLock: false,
    numLock: false,
  };

  test('is a key each, also where several come in one piece', () => {
    expect(strokesOf('ab\r\u0013é ', none).map(({ key }) => key)).toEqual([
      'a',
      'b',
      'enter',
      'ctrl+s',
      'é',
      'space',
    ]);
  });

  test('has its modifiers', () => {
    expect(strokesOf('', { ...none, tab: true, shift: true })).toEqual([{ key: 'shift+tab' }]);
    expect(strokesOf('s', { ...none, ctrl: true })).toEqual([{ key: 'ctrl+s' }]);
    expect(strokesOf('', { ...none, meta: true, return: true })).toEqual([{ key: 'alt+enter' }]);
    expect(strokesOf('', { ...none, escape: true })).toEqual([{ key: 'esc' }]);
  });

  test('is one character where people see one', () => {
    expect(strokesOf('👩‍👩‍👧é', none).map(({ text }) => text)).toEqual(['👩‍👩‍👧', 'é']);
  });
});
