import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StepLog } from '../../../src/db/migrate/progress.ts';

let lines: string[];
let steps: StepLog;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  lines = [];
  steps = new StepLog((line) => lines.push(line));
});

afterEach(() => void vi.useRealTimers());

test('a long step says every ten seconds that it goes on, and the next one ends it', () => {
  steps.begin('one', 'Applying one (1 of 2)');
  vi.advanceTimersByTime(65_000);
  steps.begin('two', 'Applying two (2 of 2)');
  vi.advanceTimersByTime(300);
  steps.end();
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual([
    'Applying one (1 of 2)',
    'one still runs after 10 s',
    'one still runs after 20 s',
    'one still runs after 30 s',
    'one still runs after 40 s',
    'one still runs after 50 s',
    'one still runs after 1 min 0 s',
    'one took 1 min 5 s',
    'Applying two (2 of 2)',
    'two took 0.3 s',
  ]);
});

test('a step that fails says nothing more', () => {
  steps.begin('one', 'Applying one (1 of 1)');
  steps.stop();
  steps.end();
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual(['Applying one (1 of 1)']);
});
