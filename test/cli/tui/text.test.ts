import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { age, duration } from '../../../cli/tui/text/age.ts';
import {
  cursorPosition,
  edit,
  emptyInput,
  insert,
  type TextInput,
  textInput,
  visible,
} from '../../../cli/tui/text/edit.ts';
import { anyCharacter } from '../../support/any-character.ts';

describe('ages and durations', () => {
  const now = Date.parse('2026-01-31T12:00:00.000Z');
  test.each([
    ['2026-01-31T11:59:30.000Z', 'now'],
    ['2026-01-31T11:15:00.000Z', '45m'],
    ['2026-01-31T09:00:00.000Z', '3h'],
    ['2026-01-19T12:00:00.000Z', '1w'],
    ['2025-10-01T12:00:00.000Z', '4mo'],
    ['2023-01-31T12:00:00.000Z', '3y'],
  ])('shows the age of %s as %s', (time, shown) => {
    expect(age(time, now)).toBe(shown);
  });

  test.each([
    ['2026-01-31T11:59:59.900Z', '0s'],
    ['2026-01-31T11:59:26.000Z', '34s'],
    ['2026-01-31T11:59:00.000Z', '1m'],
    ['2026-01-31T09:59:59.000Z', '2h'],
  ])('shows the time since %s as %s', (from, shown) => {
    expect(duration(from, '2026-01-31T12:00:00.000Z')).toBe(shown);
  });

  test('show nothing for no time', () => {
    expect(age(null, now)).toBe('');
  });
});

const anyText = fc.string({ unit: 'grapheme', maxLength: 80 });

describe('a text field', () => {
  const after = (text: string, cursor: number, ...edits: Parameters<typeof edit>[1][]): TextInput =>
    edits.reduce((draft, what) => edit(draft, what), { text, cursor });

  test.each([
    ['left', 'abc', 3, 'abc', 2],
    ['left', 'a👩‍👩‍👧', 9, 'a👩‍👩‍👧', 1],
    ['right', '👍🏽b', 0, '👍🏽b', 4],
    ['wordLeft', 'two words ', 10, 'two words ', 4],
    ['wordRight', 'two words', 3, 'two words', 9],
    ['lineStart', 'one\ntwo', 6, 'one\ntwo', 4],
    ['lineEnd', 'one\ntwo', 1, 'one\ntwo', 3],
    ['deleteBack', 'a👍🏽', 5, 'a', 1],
    ['deleteBack', '', 0, '', 0],
    ['deleteForward', 'né', 1, 'n', 1],
    ['deleteWord', 'two words', 9, 'two ', 4],
    ['deleteToStart', 'one\ntwo', 6, 'one\no', 4],
    ['deleteToEnd', 'one\ntwo', 1, 'o\ntwo', 1],
  ] as const)('%s', (what, text, cursor, expected, at) => {
    expect(after(text, cursor, what)).toEqual({ text: expected, cursor: at });
  });

  test('moves up and down by visible lines', () => {
    const draft = textInput('one two three four');
    const up = edit(draft, 'up', 10);
    expect(cursorPosition(draft, 10)).toEqual({ line: 1, column: 10 });
    expect(up.text.slice(0, up.cursor)).toBe('one two');
    expect(edit(edit(up, 'up', 10), 'down', 10).cursor).toBe(8);
    expect(edit(draft, 'down', 10).cursor).toBe(draft.text.length);
  });

  test('shows a sign for each control character and keeps the length', () => {
    expect(visible('a\u001B[7mb\u0007\r\n\u202Ec\td')).toBe('a\uFFFD[7mb\uFFFD \n\uFFFDc d');
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(visible(text)).toHaveLength(text.length);
        expect(visible(text)).not.toMatch(/(?!\n)\p{Cc}/u);
      }),
    );
  });

  test('moves up and down in a text with control characters', () => {
    const draft = textInput('\u001B[7mone\r\ntwo three');
    expect(cursorPosition(draft, 20)).toEqual({ line: 1, column: 9 });
    const up = edit(edit(draft, 'wordLeft'), 'up', 20);
    expect(up.cursor).toBe(4);
    expect(cursorPosition(up, 20)).toEqual({ line: 0, column: 4 });
  });

  test('removes control characters, and replaces line breaks in a one-line field', () => {
    expect(insert(emptyInput, 'a\u001B[31m\r\nb\tc', 'lines').text).toBe('a[31m\nb  c');
    expect(insert(emptyInput, 'a\nb', 'one line').text).toBe('a b');
  });

  test('keeps its cursor between graphemes', () => {
    const edits = fc.constantFrom(
      'left',
      'right',
      'up',
      'down',
      'wordLeft',
      'wordRight',
      'deleteBack',
      'deleteForward',
      'deleteWord',
      'lineStart',
      'lineEnd',
    );
    fc.assert(
      fc.property(anyText, fc.array(edits, { maxLength: 20 }), (text, whats) => {
        const end = whats.reduce((draft, what) => edit(draft, what, 12), insert(emptyInput, text, 'lines'));
        expect(end.cursor).toBeGreaterThanOrEqual(0);
        expect(end.cursor).toBeLessThanOrEqual(end.text.length);
        expect(end.text.slice(0, end.cursor).isWellFormed()).toBe(true);
      }),
    );
  });
});
