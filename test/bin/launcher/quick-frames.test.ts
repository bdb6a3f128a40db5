import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepRows } from '../../../bin/launcher/quick-frames/kept-rows.js';
import InkOutput from '../../../node_modules/ink/build/output.js';

const size = { width: 12, height: 3 };

const between = (open: number, close: number) => (text: string) => `\u001B[${open}m${text}\u001B[${close}m`;
const piece = fc.oneof(
  fc.constantFrom('abc', ' ', 'x  ', '❯', '…', '日本', '👍🏽', 'e\u0301', '\u00AD', '\u200B', ''),
  fc.string({ maxLength: 6 }).map((text) => text.replaceAll(/\p{Cc}/gu, '')),
);
const { text } = fc.letrec<{ text: string; styled: string }>((tie) => ({
  text: fc.array(fc.oneof(piece, tie('styled')), { maxLength: 4 }).map((pieces) => pieces.join('')),
  styled: fc
    .tuple(fc.constantFrom(between(1, 22), between(31, 39), between(44, 49), between(4, 24)), tie('text'))
    .map(([paint, inner]) => paint(inner)),
}));
const unended = fc.tuple(text, text).map(([one, other]) => `${one}\u001B[31m${other}`);
const write = fc.record({
  x: fc.integer({ min: 0, max: 14 }),
  y: fc.integer({ min: -1, max: 3 }),
  text: fc.oneof({ arbitrary: text, weight: 9 }, unended, fc.constant('two\nlines')),
  transformers: fc.constantFrom([], [(shown: string) => shown], [(shown: string) => shown.toUpperCase()]),
});
const frame = fc.record({ writes: fc.array(write, { maxLength: 6 }), isClipped: fc.boolean() });

type Frame = ReturnType<typeof frame.generate>['value'];

test('draws the frames that Ink draws', () => {
  const KeptOutput = keepRows(InkOutput as never) as unknown as typeof InkOutput;
  const draw = (Output: typeof InkOutput, { writes, isClipped }: Frame) => {
    const output = new Output(size);
    if (isClipped) output.clip({ x1: 0, x2: 8, y1: 0, y2: 2 });
    for (const { x, y, text, transformers } of writes)
      output.write(x, y, text, { transformers: [...transformers] });
    if (isClipped) output.unclip();
    return output.get();
  };
  /** As Ink writes its styles. */
  const normal = (line: string) => {
    const output = new InkOutput({ width: 40, height: 1 });
    output.write(0, 0, line, { transformers: [] });
    return output.get().output;
  };
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1, maxLength: 3 }), (frames) => {
      for (const each of frames) {
        const [kept, ink] = [draw(KeptOutput, each), draw(InkOutput, each)];
        expect(kept.height).toBe(ink.height);
        expect(kept.output.split('\n').map(normal)).toEqual(ink.output.split('\n').map(normal));
      }
    }),
    { numRuns: 500 },
  );
});

test('draws a row of an earlier frame without Ink, wherever it is now', () => {
  let drawn = 0;
  class Counted extends InkOutput {
    override get() {
      drawn += 1;
      return super.get();
    }
  }
  const KeptOutput = keepRows(Counted as never) as unknown as typeof InkOutput;
  const draw = (...lines: string[]) => {
    const output = new KeptOutput(size);
    for (const [y, line] of lines.entries()) output.write(0, y, line, { transformers: [] });
    return output.get().output;
  };
  expect(draw('日本', '👍🏽 yes', 'plain')).toBe('日本\n👍🏽 yes\nplain');
  expect(drawn).toBe(2);
  expect(draw('👍🏽 yes', '日本', '語')).toBe('👍🏽 yes\n日本\n語');
  expect(drawn).toBe(3);
  // Only the rows of the last frame are kept.
  draw('语');
  draw('日本');
  expect(drawn).toBe(5);
});
