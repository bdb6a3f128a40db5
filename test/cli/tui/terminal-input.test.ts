import { setTimeout as nextTimer } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createBackgroundQuestion } from '../../../cli/tui/terminal/ask-background.ts';
import { parseColour } from '../../../cli/tui/terminal/background.ts';
import { clipboardSequence, maxCopiedBytes } from '../../../cli/tui/terminal/clipboard.ts';
import { createReplyFilter, type TerminalReply } from '../../../cli/tui/terminal/reply-filter.ts';

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
