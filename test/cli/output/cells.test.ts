import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { wrap } from '../../../cli/output/cells.ts';

describe('wrap', () => {
  test.each([
    ['one line that fits', 40, ['one line that fits']],
    ['breaks at spaces, and leaves none there', 12, ['breaks at', 'spaces, and', 'leaves none', 'there']],
    ['keeps\n\n  its own lines\r\nand margins', 40, ['keeps', '', '  its own lines', 'and margins']],
    ['https://example.com/a/long/word', 10, ['https://ex', 'ample.com/', 'a/long/wor', 'd']],
    ['a incomprehensible b', 8, ['a', 'incompre', 'hensible', 'b']],
    ['日本語のテキスト', 5, ['日本', '語の', 'テキ', 'スト']],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 1, ['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦']],
    ['red \u001b[31m\u0007 \u202e', 40, ['red \uFFFD[31m\uFFFD \uFFFD']],
    ['', 40, ['']],
    ['x'.repeat(500), Number.POSITIVE_INFINITY, ['x'.repeat(500)]],
  ])('wraps %j at %d', (text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines);
  });

  test('keeps every word and never exceeds the width', () => {
    const text = 'The quick brown fox, ünïcode 🎉 and 日本語 jump over the lazy dog. '.repeat(20);
    for (let width = 4; width < 90; width += 1) {
      const lines = wrap(text, width);
      expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width);
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    }
  });
});
