import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apart, cellsOf, cut, fit, layout, wrap } from '../../../../cli/output/cells.ts';
import { counted, grouped } from '../../../../cli/output/number.ts';
import { age, span } from '../../../../cli/tui/text/age.ts';
import {
  type Draft,
  draftOf,
  edit,
  emptyDraft,
  insert,
  placeOf,
  visible,
} from '../../../../cli/tui/text/edit.ts';

const anyText = fc.string({ unit: 'grapheme', maxLength: 80 });

describe('texts in cells', () => {
  test.each([
    ['Checkout', 8, 'Checkout'],
    ['Checkout', 5, 'Chec…'],
    ['日本語の題', 7, '日本語…'],
    ['日本語の題', 6, '日本…'],
    ['👩‍👩‍👧 family', 4, '👩‍👩‍👧 …'],
    ['x', 0, ''],
  ])('%s in %i cells is %s', (text, cells, shown) => {
    expect(cut(text, cells)).toBe(shown);
  });

  test('fit exactly, whatever is in them', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, cells) => {
        expect(cellsOf(fit(text, cells))).toBe(cells);
        expect(cellsOf(fit(text, cells, 'right'))).toBe(cells);
      }),
    );
  });

  test('stand apart, and the right one gives way', () => {
    expect(apart('left', 'right', 12)).toBe('left   right');
    expect(apart('left', 'right', 8)).toBe('left    ');
  });
});

describe('lines', () => {
  test('break between words, and within one that is too long', () => {
    expect(wrap('a visitor writes\nunbelievablylong', 9)).toEqual([
      'a visitor',
      'writes',
      'unbelieva',
      'blylong',
    ]);
    expect(wrap('日本語日本語', 5)).toEqual(['日本', '語日', '本語']);
  });

  test('have every character once, and none is too wide', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 120 }), fc.integer({ min: 2, max: 30 }), (given, cells) => {
        const text = given.replaceAll(/\p{Cc}/gu, ' ');
        const spans = layout(text, cells);
        expect(spans.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
        for (const { start, end } of spans)
          expect(cellsOf(text.slice(start, end).trimEnd())).toBeLessThanOrEqual(cells);
      }),
    );
  });

  test('show control characters, and obey none', () => {
    expect(wrap('a\u001B[2Jb\u0007', 20)).toEqual(['a\uFFFD[2Jb\uFFFD']);
  });
});

describe('a text that is written', () => {
  const after = (text: string, cursor: number, ...edits: Parameters<typeof edit>[1][]): Draft =>
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

  test('goes up and down by the lines that are seen', () => {
    const draft = draftOf('one two three four');
    const up = edit(draft, 'up', 10);
    expect(placeOf(draft, 10)).toEqual({ line: 1, column: 10 });
    expect(up.text.slice(0, up.cursor)).toBe('one two');
    expect(edit(edit(up, 'up', 10), 'down', 10).cursor).toBe(8);
    expect(edit(draft, 'down', 10).cursor).toBe(draft.text.length);
  });

  test('is shown with a sign for each control character, and in the same length', () => {
    expect(visible('a\u001B[7mb\u0007\r\n\u202Ec\td')).toBe('a\uFFFD[7mb\uFFFD \n\uFFFDc d');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).toHaveLength(text.length);
        expect(visible(text)).not.toMatch(/(?!\n)\p{Cc}/u);
      }),
    );
  });

  test('goes up and down among the control characters that others wrote', () => {
    const draft = draftOf('\u001B[7mone\r\ntwo three');
    expect(placeOf(draft, 20)).toEqual({ line: 1, column: 9 });
    const up = edit(edit(draft, 'wordLeft'), 'up', 20);
    expect(up.cursor).toBe(4);
    expect(placeOf(up, 20)).toEqual({ line: 0, column: 4 });
  });

  test('takes no control characters, and line breaks only where there are lines', () => {
    expect(insert(emptyDraft, 'a\u001B[31m\r\nb\tc', 'lines').text).toBe('a[31m\nb  c');
    expect(insert(emptyDraft, 'a\nb', 'one line').text).toBe('a b');
  });

  test('keeps its cursor between characters, whatever is done to it', () => {
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
        const end = whats.reduce((draft, what) => edit(draft, what, 12), insert(emptyDraft, text, 'lines'));
        expect(end.cursor).toBeGreaterThanOrEqual(0);
        expect(end.cursor).toBeLessThanOrEqual(end.text.length);
        expect(end.text.slice(0, end.cursor).isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('times and numbers', () => {
  const now = Date.parse('2026-01-31T12:00:00.000Z');
  test.each([
    ['2026-01-31T11:59:30.000Z', 'now'],
    ['2026-01-31T11:15:00.000Z', '45m'],
    ['2026-01-31T09:00:00.000Z', '3h'],
    ['2026-01-19T12:00:00.000Z', '1w'],
    ['2025-10-01T12:00:00.000Z', '4mo'],
    ['2023-01-31T12:00:00.000Z', '3y'],
  ])('%s was %s ago', (time, shown) => {
    expect(age(time, now)).toBe(shown);
  });

  test.each([
    ['2026-01-31T11:59:59.900Z', '0s'],
    ['2026-01-31T11:59:26.000Z', '34s'],
    ['2026-01-31T11:59:00.000Z', '1m'],
    ['2026-01-31T09:59:59.000Z', '2h'],
  ])('from %s it took %s', (from, shown) => {
    expect(span(from, '2026-01-31T12:00:00.000Z')).toBe(shown);
  });

  test('are short', () => {
    expect(age(null, now)).toBe('');
    expect(grouped(1234567)).toBe('1,234,567');
    expect([counted(1, 'issue'), counted(2, 'issue')]).toEqual(['1 issue', '2 issues']);
  });
});
