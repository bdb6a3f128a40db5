import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../cli/errors.ts';
import { actions } from '../../../cli/tui/keys/actions.ts';
import { conflictsOf, createKeymap, keyName } from '../../../cli/tui/keys/keymap.ts';
import { readKeymap } from '../../../cli/tui/keys/remap.ts';
import { chains, scopeOf, scopeTitles } from '../../../cli/tui/keys/scopes.ts';
import { strokesOf } from '../../../cli/tui/keys/strokes.ts';
import { parseColour } from '../../../cli/tui/terminal/background.ts';
import { clipboardSequence, maxCopiedBytes } from '../../../cli/tui/terminal/clipboard.ts';
import { createReplyFilter, type TerminalReply } from '../../../cli/tui/terminal/reply-filter.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the table of keys', () => {
  test('has no key with two actions in a chain', () => {
    expect(conflictsOf(createKeymap())).toEqual([]);
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
    ['shift+down', 'Shift-↓'],
    ['pagedown', 'PgDn'],
    ['ctrl+x ctrl+e', 'Ctrl-X Ctrl-E'],
  ])('displays %s as %s', (key, name) => {
    expect(keyName(key)).toBe(name);
  });
});

describe('keys.json', () => {
  const read = async (text: string) => {
    const file = join(await temporaryFolder(), 'keys.json');
    await writeFile(file, text);
    return await readKeymap(file);
  };

  test('may be missing, unless the user names it', async () => {
    const file = join(await temporaryFolder(), 'none.json');
    const keymap = await readKeymap(file, { isOptional: true });
    expect(keymap.find('issues', 's')).toBe('issues.status');
    await expect(readKeymap(file)).rejects.toThrow(new UsageError(`File not found: ${file}.`));
  });

  test('replaces the keys of an action', async () => {
    const keymap = await read('{"issues.status": "c", "global.quit": ["Q", "ctrl+q"]}');
    expect(keymap.find('issues', 'c')).toBe('issues.status');
    expect(keymap.find('issues', 's')).toBeUndefined();
    expect(keymap.find('charts', 'ctrl+q')).toBe('global.quit');
  });

  test.each([
    ['{', /keys\.json is not valid JSON/],
    ['{"issues.status": 1}', /must be a JSON object of action names and keys/],
    ['{"issue.stauts": "x"}', /unknown action: issue\.stauts\. Closest matches: issues\.status, /],
    ['{"__proto__": "x"}', /unknown action: __proto__\./],
    ['{"issues.status": "control-x"}', /invalid key for issues\.status: control-x\. Use a character/],
    ['{"issues.status": "n"}', /n is assigned to both issues\.status and issues\.create/],
  ])('rejects %s with a sentence', async (text, sentence) => {
    const refused = read(text);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(sentence);
  });
});

describe('key presses', () => {
  const none = {} as Parameters<typeof strokesOf>[1];

  test('are separated if several arrive together, one for each grapheme', () => {
    const keys = strokesOf('ab\r\u0013é 👩‍👩‍👧', none).map(({ key }) => key);
    expect(keys).toEqual(['a', 'b', 'enter', 'ctrl+s', 'é', 'space', '👩‍👩‍👧']);
  });

  test('include their modifiers', () => {
    expect(strokesOf('', { ...none, tab: true, shift: true })).toEqual([{ key: 'shift+tab' }]);
    expect(strokesOf('s', { ...none, ctrl: true })).toEqual([{ key: 'ctrl+s' }]);
    expect(strokesOf('', { ...none, meta: true, return: true })).toEqual([{ key: 'alt+enter' }]);
    expect(strokesOf('', { ...none, escape: true })).toEqual([{ key: 'esc' }]);
  });
});

test('the clipboard gets a text in base64, as it is and wrapped for tmux, in short pieces for screen, or not at all', () => {
  expect(clipboardSequence('Größe', undefined)).toBe('\u001B]52;c;R3LDtsOfZQ==\u0007');
  expect(clipboardSequence('a', 'tmux')).toBe(
    '\u001B]52;c;YQ==\u0007\u001BPtmux;\u001B\u001B]52;c;YQ==\u0007\u001B\\',
  );
  const pieces = clipboardSequence('a'.repeat(2_000), 'screen')?.split('\u001B\\') ?? [];
  expect(pieces.length).toBeGreaterThan(3);
  for (const piece of pieces) expect(piece.length).toBeLessThan(512);
  // Terminals would drop it.
  expect(clipboardSequence('a'.repeat(maxCopiedBytes), undefined)).toBeDefined();
  expect(clipboardSequence('a'.repeat(maxCopiedBytes + 1), undefined)).toBeUndefined();
});

describe('what a terminal answers', () => {
  const esc = '\u001B';

  /** Sends pieces to a filter. Returns the keys that come out, and the answers that were found. */
  function filtered(...pieces: readonly string[]) {
    const found: TerminalReply[] = [];
    const filter = createReplyFilter((reply) => found.push(reply));
    const keys = pieces.map((piece) => filter.push(piece)).join('');
    return { keys, found, rest: filter.release() };
  }

  test('is no key, in one piece or in two, and neither is what is broken off', () => {
    const answer = `${esc}]11;rgb:ffff/8080/0000${esc}\\${esc}[?62;4c${esc}[<65;120;40M`;
    const found: TerminalReply[] = [
      { kind: 'colour', of: 'background', value: 'rgb:ffff/8080/0000' },
      { kind: 'attributes' },
      { kind: 'mouse', report: '65;120;40M' },
    ];
    for (let at = 1; at <= answer.length; at += 1) {
      const pieces = [`j${answer.slice(0, at)}`, `${answer.slice(at)}k`];
      expect(filtered(...pieces)).toEqual({ keys: 'jk', found, rest: '' });
    }
    expect(parseColour('rgb:ffff/8080/0000')).toBe('#ff8000');
    expect(filtered(`${esc}]11;rgb:ff`, `jk${esc}[A`).keys).toBe(`jk${esc}[A`);
  });

  test.each([
    esc,
    `${esc}[`,
    `${esc}[A`,
    `${esc}${esc}`,
    '日本語',
    `${esc}[200~${esc}[<0;10;5M]11;${esc}[201~`,
  ])('is not the key or the pasted text %j', (keys) => {
    const { keys: passed, rest } = filtered(keys);
    expect(passed + rest).toBe(keys);
    expect(filtered(keys, 'x').keys).toBe(`${keys}x`);
  });
});
