import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { type Column, renderTable } from '../../../cli/output/table.ts';

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
  it('stands in columns, numbers to the right, without trailing spaces', () => {
    expect(renderTable(columns, rows, Number.POSITIVE_INFINITY)).toBe(
      [
        ' ID  TITLE                                         BY',
        '  7  The checkout does nothing at all on a Sunday  Ada',
        '123  日本語のタイトル 🎉 with wide characters      Grace',
      ].join('\n'),
    );
  });

  it.each([120, 80, 60, 45, 30, 20])('fits into %i cells', (width) => {
    expect(widest(renderTable(columns, rows, width))).toBeLessThanOrEqual(width);
  });

  it('cuts long texts first, and leaves a column out where that does not suffice', () => {
    const narrow = renderTable(columns, rows, 40);
    expect(narrow).toContain('…');
    expect(narrow).toContain('Grace');
    expect(renderTable(columns, rows, 22)).not.toMatch(/BY|Grace/);
  });

  it('shows control characters of a text instead of obeying them', () => {
    const evil = '\u001b[2J\u009b31m\u202Egnp.exe\r\nsecond line\u0007';
    const table = renderTable(columns, [{ id: 1, title: evil, by: '' }], 80);
    expect(table.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202E]/u);
    expect(table).toContain('second line');
  });

  it('is its headings where there are no rows', () => {
    expect(renderTable(columns, [], 80)).toBe('ID  TITLE  BY');
  });

  it('paints a cell without changing its place', () => {
    const painted = columns.map((column) => ({
      ...column,
      paint: (text: string) => `\u001b[31m${text}\u001b[39m`,
    }));
    const plain = stripVTControlCharacters(renderTable(painted, rows, 50));
    expect(plain).toBe(renderTable(columns, rows, 50));
  });
});
