import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { renderCsv } from '../../../cli/output/csv.ts';
import { createProgress } from '../../../cli/output/progress.ts';
import { cellsOf, cut, fit, layout, wrap } from '../../../cli/terminal/cells.ts';
import { actorLabel } from '../../../cli/terminal/change.ts';
import { renderBars } from '../../../cli/terminal/chart.ts';
import { counted, inSeconds, percent } from '../../../cli/terminal/text.ts';
import { ago } from '../../../cli/terminal/time.ts';
import { csvText } from '../../../web/src/parts/csv.ts';

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
});

describe('wrapped lines', () => {
  test.each([
    ['breaks at spaces, and leaves none there', 12, ['breaks at', 'spaces, and', 'leaves none', 'there']],
    ['keeps\n\n  its own lines\r\nand margins', 40, ['keeps', '', '  its own lines', 'and margins']],
    ['https://example.com/a/long/word', 10, ['https://ex', 'ample.com/', 'a/long/wor', 'd']],
    ['a visitor writes\nunbelievablylong', 9, ['a visitor', 'writes', 'unbelieva', 'blylong']],
    ['日本語のテキスト', 5, ['日本', '語の', 'テキ', 'スト']],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 1, ['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦']],
    ['red \u001b[31m\u0007 \u202e', 40, ['red \uFFFD[31m\uFFFD \uFFFD']],
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

test('names the actor of a change, so that no admin looks like a token or the operator', () => {
  const label = (actor_kind: string, actor_name: string) => actorLabel({ actor_kind, actor_name });
  expect(label('admin', 'grace@example.com')).toBe('grace@example.com');
  expect(label('admin', 'root')).toBe('root (admin)');
  expect(label('admin', 'token:deploy@example.com')).toBe('token:deploy@example.com (admin)');
  expect(label('token', 'token:deploy')).toBe('token:deploy');
});

test('a ratio is rounded down, and a number has its digits grouped and its plural', () => {
  expect([0.0099, 0.57, 0.9999, 1.019].map(percent)).toEqual(['0 %', '57 %', '99 %', '101 %']);
  expect([0, 99, 36_960].map(inSeconds)).toEqual(['0.0 s', '0.0 s', '36.9 s']);
  expect([counted(1, 'issue'), counted(1_234_567, 'issue')]).toEqual(['1 issue', '1,234,567 issues']);
});

test('CSV starts with headings, quotes values if necessary, and escapes formulas, also that of the web dashboard', () => {
  expect(renderCsv([{ id: 1, title: 'a "b", c\nd' }])).toBe('id,title\n1,"a ""b"", c\nd"');
  expect(renderCsv([{ a: null, b: { c: [1] } }], undefined, false)).toBe(',"{""c"":[1]}"');
  for (const start of [...'=+-@\t\r\n＝＋－＠', '\r\n']) {
    const title = `${start}SUM(A1)`;
    expect(renderCsv([{ title }])).toMatch(/^title\n"?'/);
    expect(csvText([[title]])).toMatch(/^"?'/);
  }
  expect([renderCsv([{ n: -1 }]), csvText([[-1]])]).toEqual(['n\n-1', '-1\r\n']);
});

describe('a bar chart', () => {
  test('draws proportional bars, to an eighth of a cell', () => {
    const counts = { High: 1_000, Low: 500, Rare: 1, None: 0 };
    const bars = Object.entries(counts).map(([label, count]) => ({ label, count }));
    expect(renderBars(bars, 30).split('\n')).toEqual([
      '  High  1,000  ███████████████',
      '  Low     500  ███████▌',
      '  Rare      1  ▏',
      '  None      0',
    ]);
    expect(renderBars([], 80)).toBe('');
  });

  test('fits into its width with any labels', () => {
    const labels = ['A category without an end '.repeat(9), '日本語'.repeat(30), 'Other'];
    const bars = labels.map((label, index) => ({ label, count: 1_000 + index }));
    for (const width of [80, 20]) {
      const lines = renderBars(bars, width).split('\n');
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      expect(lines[0]).toMatch(/^ {2}A [^█]*… {2}1,000 {2}█+/);
    }
  });
});

test.each([
  ['2026-03-15T11:59:40.000Z', 'just now'],
  ['2026-03-15T07:00:01.000Z', '4 hours ago'],
  ['2026-03-14T11:00:00.000Z', 'yesterday'],
  ['2026-03-01T12:00:00.000Z', '2 weeks ago'],
  ['2026-03-17T13:00:00.000Z', 'in 2 days'],
])('the time %s is %s', (time, said) => {
  expect(ago(time, Date.parse('2026-03-15T12:00:00.000Z'))).toBe(said);
});

describe('progress', () => {
  /** Creates progress with a stream that records the output, and a clock that the test sets. */
  function stage(stream: { isTTY?: boolean; columns?: number }) {
    const written: string[] = [];
    const clock = { now: 0 };
    const progress = createProgress({ ...stream, write: (text) => written.push(text) }, () => clock.now);
    return {
      progress,
      written,
      clock,
      at(seconds: number, done: number) {
        clock.now = seconds * 1000;
        progress.show({ what: 'issues', done, total: 1_000_000 });
      },
    };
  }

  test('on a terminal, redraws one line with the rate and the time left, at most ten times a second', () => {
    const { at, written } = stage({ isTTY: true, columns: 80 });
    at(0, 0);
    at(4, 250_000);
    at(4.05, 260_000);
    at(16, 1_000_000);
    expect(written).toEqual([
      `\r\u001B[K${'█'.repeat(6)}${'░'.repeat(18)}  25%  250,000 of 1,000,000 issues, 63,000/s, 12 s left`,
      `\r\u001B[K${'█'.repeat(24)} 100%  1,000,000 of 1,000,000 issues, 63,000/s, in 16 s`,
      '\n',
    ]);
  });

  test('counts without a total if it is unknown, and ends the line only if there is one', () => {
    const { progress, written, clock } = stage({ isTTY: true, columns: 80 });
    progress.show({ what: 'lines', done: 0 });
    progress.end();
    expect(written).toEqual([]);
    clock.now = 4_000;
    progress.show({ what: 'lines', done: 250_000 });
    progress.end();
    expect(written).toEqual(['\r\u001B[K250,000 lines, 63,000/s', '\n']);
  });

  test('in a file or pipe, writes a plain line every ten seconds, and none for short work', () => {
    const { at, written } = stage({});
    at(0, 0);
    at(9, 100_000);
    at(10, 200_000);
    at(100, 500_000);
    at(10_000, 500_001);
    expect(written).toEqual([
      '200,000 of 1,000,000 issues, 20,000/s, 40 s left\n',
      '500,000 of 1,000,000 issues, 5,000/s, 1 min 40 s left\n',
      '500,001 of 1,000,000 issues, 50/s, 2 h 46 min left\n',
    ]);
  });
});
