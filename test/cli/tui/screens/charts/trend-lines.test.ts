import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { cellsOf } from '../../../../../cli/output/cells.ts';
import { trendLines } from '../../../../../cli/tui/screens/charts/trend-lines.ts';
import { trendOf } from '../../../../support/run/dashboard-here.ts';

describe('the trend', () => {
  const drawn = (counts: readonly number[], cells: number) =>
    trendLines(trendOf(counts), cells, 4).map(stripVTControlCharacters);

  test('has a column for each day, as wide as possible', () => {
    expect(drawn([0, 4, 8], 30)).toEqual([
      '  Reported issues  12 issues in 3 days, UTC',
      '    8               ██████',
      '                    ██████',
      '             ██████ ██████',
      '             ██████ ██████',
      '      ────────────────────',
      '      2 days ago     today',
    ]);
  });

  test('has adjacent columns of one cell in a narrow terminal', () => {
    const counts = Array.from({ length: 30 }, (_, day) => day * 100);
    const lines = drawn(counts, 40);
    expect(lines[1]).toMatch(/^ {4}2,900 {24}▁▂▄▅▆▇█$/);
    expect(lines[5]).toBe(`          ${'─'.repeat(30)}`);
    expect(lines[6]).toBe(`          29 days ago${' '.repeat(14)}today`);
    for (const line of lines.slice(1)) expect(cellsOf(line)).toBeLessThanOrEqual(40);
  });
});
