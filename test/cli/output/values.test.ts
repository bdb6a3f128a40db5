import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apart, cellsOf, cut, fit, layout, wrap } from '../../../cli/output/cells.ts';
import { actorLabel } from '../../../cli/output/change.ts';
import { counted, grouped, percent } from '../../../cli/output/number.ts';
import { stillRunning } from '../../../cli/output/running.ts';

const anyText = fc.string({ unit: 'grapheme', maxLength: 80 });

describe('a text in cells', () => {
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

  test('fits exactly', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, cells) => {
        expect(cellsOf(fit(text, cells))).toBe(cells);
        expect(cellsOf(fit(text, cells, 'right'))).toBe(cells);
      }),
    );
  });

  test('stands apart from another, which is left out if there is no room', () => {
    expect(apart('left', 'right', 12)).toBe('left   right');
    expect(apart('left', 'right', 8)).toBe('left    ');
  });
});

describe('wrapped lines', () => {
  test.each([
    ['one line that fits', 40, ['one line that fits']],
    ['breaks at spaces, and leaves none there', 12, ['breaks at', 'spaces, and', 'leaves none', 'there']],
    ['keeps\n\n  its own lines\r\nand margins', 40, ['keeps', '', '  its own lines', 'and margins']],
    ['https://example.com/a/long/word', 10, ['https://ex', 'ample.com/', 'a/long/wor', 'd']],
    ['a incomprehensible b', 8, ['a', 'incompre', 'hensible', 'b']],
    ['a visitor writes\nunbelievablylong', 9, ['a visitor', 'writes', 'unbelieva', 'blylong']],
    ['日本語のテキスト', 5, ['日本', '語の', 'テキ', 'スト']],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 1, ['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦']],
    ['red \u001b[31m\u0007 \u202e', 40, ['red \uFFFD[31m\uFFFD \uFFFD']],
    ['', 40, ['']],
    ['x'.repeat(500), Number.POSITIVE_INFINITY, ['x'.repeat(500)]],
  ])('wraps %j at %d', (text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines);
  });

  test('contain every character once and are never too wide', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 120 }), fc.integer({ min: 2, max: 30 }), (given, cells) => {
        const text = given.replaceAll(/\p{Cc}/gu, ' ');
        const spans = layout(text, cells);
        expect(spans.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
        for (const { start, end } of spans)
          expect(cellsOf(text.slice(start, end).trimEnd())).toBeLessThanOrEqual(cells);
        for (const line of wrap(text, cells)) expect(cellsOf(line)).toBeLessThanOrEqual(cells);
        expect(wrap(text, cells).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });
});

describe('the actor of a change', () => {
  test.each([
    ['admin', 'grace@example.com', 'grace@example.com'],
    ['admin', 'root', 'root (admin)'],
    ['admin', 'token:deploy', 'token:deploy (admin)'],
    ['admin', 'token:deploy@example.com', 'token:deploy@example.com (admin)'],
    ['token', 'token:deploy', 'token:deploy'],
    ['operator', 'root', 'root'],
  ])('names the %s %s as %s', (actor_kind, actor_name, said) => {
    expect(actorLabel({ actor_kind, actor_name })).toBe(said);
  });
});

describe('numbers', () => {
  test.each([
    [0, '0 %'],
    [0.0099, '0 %'],
    [0.57, '57 %'],
    [0.9999, '99 %'],
    [1, '100 %'],
    [1.019, '101 %'],
  ])('formats the ratio %d as %s, rounded down', (ratio, said) => {
    expect(percent(ratio)).toBe(said);
  });

  test('counts runs that have not ended', () => {
    const ended = { succeededRuns: 2, failedRuns: 1, cancelledRuns: 1 };
    expect(stillRunning({ ...ended, runs: 5 })).toBe(', 1 running');
    expect(stillRunning({ ...ended, runs: 4 })).toBe('');
  });

  test('groups the digits of a number and adds the plural', () => {
    expect(grouped(1234567)).toBe('1,234,567');
    expect([counted(1, 'issue'), counted(2, 'issue')]).toEqual(['1 issue', '2 issues']);
  });
});
