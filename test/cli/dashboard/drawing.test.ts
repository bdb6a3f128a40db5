import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factsOf } from '../../../cli/dashboard/draw/describe.ts';
import { cursorPosition, edit, insert, textInput, visible } from '../../../cli/dashboard/draw/edit.ts';
import { fieldLine } from '../../../cli/dashboard/draw/field.ts';
import { tableLines } from '../../../cli/dashboard/draw/table.ts';
import { formFields } from '../../../cli/dashboard/parts/editing.ts';
import { readFilter } from '../../../cli/input/filter.ts';
import { termsOf } from '../../../cli/input/terms.ts';
import { cellsOf } from '../../../cli/terminal/cells.ts';
import { listColumns } from '../../../cli/terminal/columns.ts';
import { age, duration } from '../../../cli/terminal/time.ts';
import type { Field, Noun } from '../../../src/contract/fields/field.ts';
import { issues } from '../../../src/contract/fields/issues.ts';
import { anyCharacter } from '../../support/any-character.ts';

describe('ages and durations', () => {
  const now = '2026-01-31T12:00:00.000Z';

  test.each([
    ['2026-01-31T11:59:30.000Z', 'now'],
    ['2026-01-31T09:00:00.000Z', '3h'],
    ['2026-01-19T12:00:00.000Z', '1w'],
    ['2023-01-31T12:00:00.000Z', '3y'],
    [null, ''],
  ])('shows the age of %s as %s', (time, shown) => {
    expect(age(time, Date.parse(now))).toBe(shown);
  });

  test.each([
    ['2026-01-31T11:59:59.900Z', '0s'],
    ['2026-01-31T11:59:00.000Z', '1m'],
    ['2026-01-31T09:59:59.000Z', '2h'],
  ])('shows the time since %s as %s', (from, shown) => {
    expect(duration(from, now)).toBe(shown);
  });
});

describe('a text field', () => {
  test.each([
    ['left', 'a👩‍👩‍👧', 9, 'a👩‍👩‍👧', 1],
    ['right', '👍🏽b', 0, '👍🏽b', 4],
    ['wordLeft', 'two words ', 10, 'two words ', 4],
    ['wordRight', 'two words', 3, 'two words', 9],
    ['lineStart', 'one\ntwo', 6, 'one\ntwo', 4],
    ['lineEnd', 'one\ntwo', 1, 'one\ntwo', 3],
    ['deleteBack', 'a👍🏽', 5, 'a', 1],
    ['deleteForward', 'né', 1, 'n', 1],
    ['deleteWord', 'two words', 9, 'two ', 4],
    ['deleteToStart', 'one\ntwo', 6, 'one\no', 4],
    ['deleteToEnd', 'one\ntwo', 1, 'o\ntwo', 1],
  ] as const)('%s', (what, text, cursor, expected, at) => {
    expect(edit({ text, cursor }, what)).toEqual({ text: expected, cursor: at });
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

  test('removes control characters, and replaces line breaks in a one-line field', () => {
    expect(insert(textInput(''), 'a\u001B[31m\r\nb\tc', 'lines').text).toBe('a[31m\nb\tc');
    expect(insert(textInput(''), 'a\nb', 'one line').text).toBe('a b');
  });

  test('keeps its cursor between graphemes', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 80 });
    const edits = fc.constantFrom('left', 'right', 'up', 'down', 'wordLeft', 'deleteBack', 'deleteForward');
    fc.assert(
      fc.property(text, fc.array(edits, { maxLength: 20 }), (given, whats) => {
        const end = whats.reduce(
          (draft, what) => edit(draft, what, 12),
          insert(textInput(''), given, 'lines'),
        );
        expect(end.cursor).toBeGreaterThanOrEqual(0);
        expect(end.cursor).toBeLessThanOrEqual(end.text.length);
        expect(end.text.slice(0, end.cursor).isWellFormed()).toBe(true);
      }),
    );
  });
});

test('a field of one line keeps its cursor visible, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.integer({ min: 2, max: 40 }), (text, cells) => {
      const line = fieldLine(textInput(text.replaceAll('\n', ' ')), cells);
      expect(line).toContain('\u001B[7m');
      expect(cellsOf(line)).toBeLessThanOrEqual(cells);
    }),
  );
});

describe('a table', () => {
  const rows = [
    { id: 1, title: '日本語の長い題名がここにあります', status: 'Open' },
    { id: 2, title: 'A family 👩‍👩‍👧 and a flag 🇵🇹', status: 'Closed' },
    { id: 3, title: 'Evil \u001B[2J\u0007 title', status: 'Open' },
  ];
  const columns = [
    { heading: 'id', value: ({ id }: (typeof rows)[0]) => String(id), width: 6, align: 'right' as const },
    { heading: 'title', value: ({ title }: (typeof rows)[0]) => title, cut: true },
    { heading: 'status', value: ({ status }: (typeof rows)[0]) => status, width: 11, dropAs: 1 },
    { heading: 'more', value: () => 'more', width: 10, dropAs: 2 },
  ];
  const drawn = rows.map((row, at) => ({ row, isCurrent: at === 0, signs: at === 0 ? '❯  ' : '   ' }));

  test.each([60, 80, 120, 300])('has no line that is wider than %i cells', (width) => {
    const lines = tableLines(columns, drawn, width, { sorted: '-id', note: '↑ 2 new' });
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(cellsOf(line)).toBeLessThanOrEqual(width);
    expect(lines.join('')).not.toContain('\u001B[2J');
  });

  test('gives texts more room on a wide terminal', () => {
    const category = { heading: 'category', value: () => 'Accessibility', cut: true, width: 11 };
    const textsAt = (width: number) => tableLines([...columns, category], drawn, width).join('');
    expect(textsAt(120)).toContain('Accessibil…');
    expect(textsAt(200)).toContain('Accessibility');
  });

  test('drops columns before a title gets too narrow, the least important first', () => {
    const headings = (width: number) => tableLines(columns, drawn, width)[0] ?? '';
    expect(headings(80)).toContain('MORE');
    expect(headings(60)).toMatch(/TITLE.*STATUS/);
    expect(headings(60)).not.toContain('MORE');
    expect(headings(48)).not.toContain('STATUS');
  });
});

test('a new scalar field of issues is in the list, the details, the form and the filter without being named', () => {
  const effort: Field = {
    kind: 'word',
    words: ['Small', 'Large'],
    label: 'Effort',
    example: 'Small',
    create: { or: 'Small' },
    edit: 'many',
    filter: 'some',
  };
  const noun: Noun = { ...issues, fields: { ...issues.fields, effort } };
  expect(listColumns(noun, { title: 0 }).map(({ heading }) => heading)).toContain('effort');
  expect(factsOf(noun, { effort: 'Large' })).toContain('Large');
  expect(formFields(noun, 'edit')).toContainEqual(
    expect.objectContaining({ name: 'effort', kind: 'choice', words: ['Small', 'Large'] }),
  );
  expect(readFilter('effort:lar', termsOf(noun))).toEqual({
    filter: { effort: 'Large' },
    problem: undefined,
  });
});

test('a filter searches a word with a colon behind it, unless it is a name whose value is still being typed', () => {
  const { filter } = readFilter('Error: cannot pay severity:', termsOf(issues));
  expect(filter).toEqual({ q: 'error: cannot pay' });
});
