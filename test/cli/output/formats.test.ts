import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { renderBars } from '../../../cli/output/chart.ts';
import { renderCsv } from '../../../cli/output/csv.ts';
import { ago } from '../../../cli/output/time.ts';

const now = Date.parse('2026-03-15T12:00:00.000Z');

describe('CSV', () => {
  test('starts with headings, and quotes values if necessary', () => {
    expect(renderCsv([{ id: 1, title: 'a "b", c\nd' }])).toBe('id,title\n1,"a ""b"", c\nd"');
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('escapes the formula %j', (title) => {
    expect(renderCsv([{ title }]).split('\n')[1]).toMatch(/^"?'/);
  });

  test('prints objects as JSON and null as empty', () => {
    expect(renderCsv([{ a: null, b: { c: [1] } }], undefined, false)).toBe(',"{""c"":[1]}"');
  });
});

describe('a bar chart', () => {
  test('draws proportional bars, to an eighth of a cell', () => {
    const chart = renderBars(
      [
        { label: 'High', count: 1_000 },
        { label: 'Low', count: 500 },
        { label: 'Rare', count: 1 },
        { label: 'None', count: 0 },
      ],
      30,
    );
    expect(chart).toBe(
      ['  High  1,000  ███████████████', '  Low     500  ███████▌', '  Rare      1  ▏', '  None      0'].join(
        '\n',
      ),
    );
  });

  test.each([80, 60, 50, 30, 20])('fits into %i cells with any labels', (width) => {
    const bars = ['A category without an end '.repeat(9), '日本語'.repeat(30), 'Other'].map(
      (label, index) => ({
        label,
        count: 1_000 + index,
      }),
    );
    const lines = renderBars(bars, width).split('\n');
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    expect(lines[0]).toMatch(/^ {2}A [^█]*… {2}1,000 {2}█+/);
  });

  test('is empty without bars', () => {
    expect(renderBars([], 80)).toBe('');
  });
});

describe('a time', () => {
  test.each([
    ['2026-03-15T11:59:40.000Z', 'just now'],
    ['2026-03-15T11:57:00.000Z', '3 minutes ago'],
    ['2026-03-15T07:00:00.000Z', '5 hours ago'],
    ['2026-03-14T11:00:00.000Z', 'yesterday'],
    ['2026-03-01T12:00:00.000Z', '2 weeks ago'],
    ['2024-03-01T12:00:00.000Z', '2 years ago'],
    ['2026-03-17T13:00:00.000Z', 'in 2 days'],
  ])('is formatted from %s as %s', (time, said) => {
    expect(ago(time, now)).toBe(said);
  });
});
