import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { cellsOf } from '../../../../cli/output/cells.ts';
import { bars, columnChart } from '../../../../cli/tui/components/bars.ts';

describe('bars', () => {
  test('show every number above zero and fit', () => {
    const lines = bars(
      [
        { label: 'High', count: 1 },
        { label: 'Low', count: 1_000 },
        { label: 'None', count: 0 },
      ],
      40,
    ).map(stripVTControlCharacters);
    expect(lines[0]).toBe('    High      1  ▏');
    expect(lines[2]?.trimEnd()).toBe('    None      0');
    for (const line of lines) expect(cellsOf(line)).toBeLessThanOrEqual(40);
  });

  test('use the whole width of a wide terminal', () => {
    const [line = ''] = bars([{ label: 'High', count: 1 }], 200).map(stripVTControlCharacters);
    expect(cellsOf(line)).toBeGreaterThan(190);
  });

  test('are drawn as columns', () => {
    expect(columnChart([0, 1, 4, 8], 1, 7)).toEqual([' ▁▄█']);
    expect(columnChart([0, 1, 500, 750, 1_000], 2, 15)).toEqual(['         ▄▄ ██', '   ▁▁ ██ ██ ██']);
    expect(columnChart([0, 8], 1, 80)).toEqual(['         ████████']);
    expect(columnChart([0, 0], 1, 2)).toEqual(['  ']);
    expect(columnChart([], 1, 80)).toEqual(['']);
  });
});
