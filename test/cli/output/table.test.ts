import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { type Column, renderTable } from '../../../cli/output/table.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { isSlowRun } from '../../support/slow-run.ts';

interface Row {
  readonly id: number;
  readonly title: string;
  readonly by: string;
}

const columns: readonly Column<Row>[] = [
  { heading: 'id', value: ({ id }) => String(id), align: 'right' },
  { heading: 'title', value: ({ title }) => title, cut: true },
  { heading: 'by', value: ({ by }) => by, dropAs: 1 },
];

const rows: readonly Row[] = [
  { id: 7, title: 'The checkout does nothing at all on a Sunday', by: 'Ada' },
  { id: 123, title: '日本語のタイトル 🎉 with wide characters', by: 'Grace' },
];

const widest = (text: string) => Math.max(...text.split('\n').map((line) => stringWidth(line)));

describe('a table', () => {
  test('aligns columns, with numbers on the right and no trailing spaces', () => {
    expect(renderTable(columns, rows, Number.POSITIVE_INFINITY)).toBe(
      [
        ' ID  TITLE                                         BY',
        '  7  The checkout does nothing at all on a Sunday  Ada',
        '123  日本語のタイトル 🎉 with wide characters      Grace',
      ].join('\n'),
    );
  });

  test('cuts long texts first, then drops a column', () => {
    const narrow = renderTable(columns, rows, 40);
    expect(narrow).toContain('…');
    expect(narrow).toContain('Grace');
    expect(renderTable(columns, rows, 22)).not.toMatch(/BY|Grace/);
  });

  test('never exceeds the width, with any columns and rows', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.string({ unit: anyCharacter, maxLength: 80 }),
      fc.constantFrom('', 'Dr. Maximiliane Alexandra von und zu Hohenstein-Wagenburg-Lippe', '🫨'.repeat(30)),
    );
    const column = fc.record({
      heading: fc.string({ minLength: 1, maxLength: 12 }),
      align: fc.constantFrom('left' as const, 'right' as const),
      cut: fc.boolean(),
      dropAs: fc.option(fc.nat(5), { nil: undefined }),
    });
    const shapes = fc.array(column, { minLength: 1, maxLength: 9 });
    const table = shapes.chain((shape) =>
      fc.record({
        columns: fc.constant(
          shape.map(({ dropAs, ...others }, index): Column<readonly string[]> => {
            const value = (row: readonly string[]) => row[index] ?? '';
            return { ...others, value, ...(dropAs === undefined ? {} : { dropAs }) };
          }),
        ),
        rows: fc.array(fc.array(text, { minLength: shape.length, maxLength: shape.length }), {
          maxLength: 5,
        }),
        width: fc.integer({ min: 1, max: 130 }),
      }),
    );
    fc.assert(
      fc.property(table, ({ columns, rows, width }) => {
        expect(widest(renderTable(columns, rows, width))).toBeLessThanOrEqual(width);
      }),
      { numRuns: isSlowRun ? 1_000 : 200 },
    );
  });

  test('keeps ids whole as long as there is room, then cuts them too', () => {
    const narrow = renderTable(
      [
        { heading: 'id', value: () => 'conv_1769851800000_k3x9a2b' },
        { heading: 'name', value: () => 'A name without an end, and then some', cut: true },
        { heading: 'subject', value: () => 'The order has not come, and nobody answers', cut: true },
      ],
      [undefined],
      40,
    );
    expect(narrow.split('\n')[1]).toBe('conv_1769851800000_k3x9a2b  A na…  The …');
    expect(renderTable([{ heading: 'id', value: () => 'a long id' }], [undefined], 5)).toBe('ID\na lo…');
  });

  test('replaces control characters', () => {
    const evil = '\u001b[2J\u009b31m\u202Egnp.exe\r\nsecond line\u0007';
    const table = renderTable(columns, [{ id: 1, title: evil, by: '' }], 80);
    expect(table.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202E]/u);
    expect(table).toContain('second line');
  });

  test('shows only headings without rows', () => {
    expect(renderTable(columns, [], 80)).toBe('ID  TITLE  BY');
  });

  test('paints cells without moving them', () => {
    const painted = columns.map((column) => ({
      ...column,
      paint: (text: string) => `\u001b[31m${text}\u001b[39m`,
    }));
    const plain = stripVTControlCharacters(renderTable(painted, rows, 50));
    expect(plain).toBe(renderTable(columns, rows, 50));
  });
});
