import { describe, expect, test } from 'vitest';
import { createProgress } from '../../../cli/output/progress.ts';

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

describe('on a terminal', () => {
  test('redraws one line with the rate and the time left', () => {
    const { at, written } = stage({ isTTY: true, columns: 80 });
    at(0, 0);
    at(4, 250_000);
    at(16, 1_000_000);
    expect(written).toEqual([
      `\r\u001B[K${'█'.repeat(6)}${'░'.repeat(18)}  25%  250,000 of 1,000,000 issues, 63,000/s, 12 s left`,
      `\r\u001B[K${'█'.repeat(24)} 100%  1,000,000 of 1,000,000 issues, 63,000/s, in 16 s`,
      '\n',
    ]);
  });

  test('draws at most ten times a second', () => {
    const { at, written } = stage({ isTTY: true, columns: 80 });
    at(0, 0);
    for (let step = 1; step <= 100; step++) at(step / 100, step);
    expect(written.length).toBe(10);
  });

  test.each([0, 10, 40, 60])('fits into %i columns', (columns) => {
    const { at, written } = stage({ isTTY: true, columns });
    at(0, 0);
    at(4_000, 250_000);
    const width = columns === 0 ? 80 : columns;
    expect(written.at(-1)?.length).toBeLessThan(width + '\r\u001B[K'.length);
  });

  test('ends an unfinished line', () => {
    const { at, written, progress } = stage({ isTTY: true, columns: 80 });
    at(0, 0);
    progress.end();
    expect(written).toEqual([]);
    at(4, 250_000);
    progress.end();
    expect(written.at(-1)).toBe('\n');
  });
});

test('counts without a total if it is unknown', () => {
  const { progress, written, clock } = stage({ isTTY: true, columns: 80 });
  progress.show({ what: 'lines', done: 0 });
  clock.now = 4_000;
  progress.show({ what: 'lines', done: 250_000 });
  progress.end();
  expect(written).toEqual(['\r\u001B[K250,000 lines, 63,000/s', '\n']);
});

describe('in a file or pipe', () => {
  test('writes a plain line every ten seconds, and none for short work', () => {
    const { at, written } = stage({});
    at(0, 0);
    at(9, 100_000);
    at(10, 200_000);
    at(15, 300_000);
    at(21, 400_000);
    expect(written).toEqual([
      '200,000 of 1,000,000 issues, 20,000/s, 40 s left\n',
      '400,000 of 1,000,000 issues, 19,000/s, 32 s left\n',
    ]);
  });

  test('formats minutes and hours', () => {
    const { at, written } = stage({});
    at(0, 0);
    at(100, 500_000);
    at(10_000, 500_001);
    expect(written).toEqual([
      '500,000 of 1,000,000 issues, 5,000/s, 1 min 40 s left\n',
      '500,001 of 1,000,000 issues, 50/s, 2 h 46 min left\n',
    ]);
  });
});
