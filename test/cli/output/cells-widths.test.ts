import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apart, cellsOf, cut, fit, layout, wrap } from '../../../cli/output/cells.ts';

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
  test('break between words, and within a word that is too long', () => {
    expect(wrap('a visitor writes\nunbelievablylong', 9)).toEqual([
      'a visitor',
      'writes',
      'unbelieva',
      'blylong',
    ]);
    expect(wrap('日本語日本語', 5)).toEqual(['日本', '語日', '本語']);
  });

  test('contain every character once and are never too wide', () => {
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

  test('make control characters visible', () => {
    expect(wrap('a\u001B[2Jb\u0007', 20)).toEqual(['a\uFFFD[2Jb\uFFFD']);
  });
});
