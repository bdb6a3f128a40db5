import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runStep } from '../../../src/db/migrate/progress.ts';

let lines: string[];
const log = (line: string) => void lines.push(line);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  lines = [];
});

afterEach(() => void vi.useRealTimers());

test('a long step says every ten seconds that it goes on, and how long it took', async () => {
  await runStep(log, 'one', 'Applying one (1 of 2)', async () => void vi.advanceTimersByTime(65_000));
  await runStep(log, 'two', 'Applying two (2 of 2)', async () => void vi.advanceTimersByTime(300));
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

test('a step that fails says nothing more', async () => {
  const failing = runStep(log, 'one', 'Applying one (1 of 1)', () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual(['Applying one (1 of 1)']);
});
