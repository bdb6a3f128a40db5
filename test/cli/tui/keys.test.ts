import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as nextTimer } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../../cli/errors.ts';
import { actions } from '../../../cli/tui/keys/actions.ts';
import { conflictsOf, createKeymap, keyName } from '../../../cli/tui/keys/keymap.ts';
import { readKeymap } from '../../../cli/tui/keys/remap.ts';
import { chains, scopeOf, scopeTitles } from '../../../cli/tui/keys/scopes.ts';
import { strokesOf } from '../../../cli/tui/keys/strokes.ts';
import { createBackgroundQuestion } from '../../../cli/tui/terminal/ask-background.ts';
import { parseColour } from '../../../cli/tui/terminal/background.ts';
import { clipboardSequence, maxCopiedBytes } from '../../../cli/tui/terminal/clipboard.ts';
import { createReplyFilter, type TerminalReply } from '../../../cli/tui/terminal/reply-filter.ts';

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
    ['ctrl+s', 'Ctrl-S'],
    ['shift+down', 'Shift-↓'],
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

test('the first frame gets a background that arrived while the process could not read it', async () => {
  const late: string[] = [];
  const question = createBackgroundQuestion(
    () => {},
    (background) => late.push(background),
  );
  // From here on, timers that are due run before anything is read.
  await nextTimer(0);
  const answer = question.ask();
  const until = performance.now() + 150;
  while (performance.now() < until);
  setImmediate(() => {
    question.receive({ kind: 'colour', of: 'background', value: 'rgb:ffff/ffff/ffff' });
    question.receive({ kind: 'colour', of: 'text', value: 'rgb:0000/0000/0000' });
  });
  expect(await answer).toBe('#ffffff');
  expect(late).toEqual([]);
});

describe('the sequence for the clipboard', () => {
  test('has the text in base64, as it is and wrapped for tmux, and in short pieces for screen', () => {
    expect(clipboardSequence('Größe', undefined)).toBe('\u001B]52;c;R3LDtsOfZQ==\u0007');
    expect(clipboardSequence('a', 'tmux')).toBe(
      '\u001B]52;c;YQ==\u0007\u001BPtmux;\u001B\u001B]52;c;YQ==\u0007\u001B\\',
    );
    const pieces = clipboardSequence('a'.repeat(2_000), 'screen')?.split('\u001B\\') ?? [];
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces) expect(piece.length).toBeLessThan(512);
  });

  test('is not there for a text that terminals would drop', () => {
    expect(clipboardSequence('a'.repeat(maxCopiedBytes), undefined)).toBeDefined();
    expect(clipboardSequence('a'.repeat(maxCopiedBytes + 1), undefined)).toBeUndefined();
  });
});

describe('replies of the terminal', () => {
  const esc = '\u001B';
  const white: TerminalReply = { kind: 'colour', of: 'background', value: 'rgb:ffff/ffff/ffff' };
  const attributes: TerminalReply = { kind: 'attributes' };

  /** Sends pieces to a filter. Returns the keys that come out, and the answers that were found. */
  function filtered(...pieces: readonly string[]) {
    const found: TerminalReply[] = [];
    const filter = createReplyFilter((reply) => found.push(reply));
    const keys = pieces.map((piece) => filter.push(piece)).join('');
    return { keys, found, rest: filter.release() };
  }

  describe('the answers of a terminal', () => {
    const answers = [
      [`${esc}]11;rgb:ffff/ffff/ffff\u0007`, [white]],
      [`${esc}]11;rgb:ffff/ffff/ffff${esc}\\`, [white]],
      [`${esc}[?62;4c`, [attributes]],
      [`${esc}[<0;10;5M`, [{ kind: 'mouse', report: '0;10;5M' }]],
      [`${esc}[<65;120;40M`, [{ kind: 'mouse', report: '65;120;40M' }]],
      [`${esc}]11;rgb:ffff/ffff/ffff${esc}\\${esc}[?1;2c`, [white, attributes]],
    ] as const;

    test.each(answers)('%j are no keys, in one piece or in two', (answer, found) => {
      expect(filtered(`j${answer}k`)).toEqual({ keys: 'jk', found, rest: '' });
      for (let at = 1; at < answer.length; at += 1) {
        expect(filtered(`j${answer.slice(0, at)}`, `${answer.slice(at)}k`)).toEqual({
          keys: 'jk',
          found,
          rest: '',
        });
      }
    });

    test('are no keys if each character arrives alone', () => {
      const [answer, found] = answers.at(-1) ?? expect.fail();
      expect(filtered(...answer, 'q')).toEqual({ keys: 'q', found, rest: '' });
    });

    test('of the mouse are no text, even if their Esc was taken for a key', () => {
      const found: TerminalReply[] = [];
      const filter = createReplyFilter((reply) => found.push(reply));
      expect(filter.push(esc) + filter.release()).toBe(esc);
      expect(filter.push('[<0;1') + filter.push('0;5M') + filter.push('[<0;10;5M')).toBe('[<0;10;5M');
      expect(found).toEqual([{ kind: 'mouse', report: '0;10;5M' }]);
    });

    test('are dropped if they are broken off, and the keys after them are kept', () => {
      expect(filtered(`${esc}]11;rgb:ff`, 'jk').keys).toBe('jk');
      expect(filtered(`${esc}]11;rgb:ff`, `${esc}[A`).keys).toBe(`${esc}[A`);
    });

    test.each([esc, `${esc}[`, `${esc}]`])('do not keep %j, which may be a key', (key) => {
      expect(filtered(key)).toEqual({ keys: '', found: [], rest: key });
      expect(filtered(key, 'x').keys).toBe(`${key}x`);
    });

    test.each([
      `${esc}[A`,
      `${esc}[200~${esc}[<0;10;5M${esc}[201~`,
      `${esc}[200~]11;${esc}[201~`,
      '日本語',
      `${esc}${esc}`,
    ])('do not touch %j', (keys) => {
      const { keys: passed, rest } = filtered(keys);
      expect(passed + rest).toBe(keys);
    });
  });

  test.each([
    ['rgb:ffff/8080/0000', '#ff8000'],
    ['rgb:ff/80/00', '#ff8000'],
    ['rgb:f/8/0', '#ff8800'],
    ['rgba:1e1e/1e1e/1e1e/ffff', '#1e1e1e'],
    ['#FDF6E3', '#fdf6e3'],
    ['rgb:', undefined],
    ['fuchsia', undefined],
  ])('reads the colour %s as %s', (answer, colour) => {
    expect(parseColour(answer)).toBe(colour);
  });
});
