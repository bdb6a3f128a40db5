import { expect, test, vi } from 'vitest';
import { createSemaphore } from '../../../src/shared/waiting/semaphore.ts';

const onFull = () => new Error('full');

test('runs a limited number of calls at once and the rest in order', async () => {
  const runLimited = createSemaphore({ concurrency: 2, queueLimit: 10, onFull });
  const started: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const calls = gates.map((gate, index) =>
    runLimited(async () => {
      started.push(index);
      await gate.promise;
      return index;
    }),
  );
  await Promise.resolve();
  expect(started).toEqual([0, 1]);
  gates[1]?.resolve();
  expect(await calls[1]).toBe(1);
  expect(started).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve();
  expect(await Promise.all(calls)).toEqual([0, 1, 2, 3, 4]);
  expect(started).toEqual([0, 1, 2, 3, 4]);
});

test('work that fails frees its slot', async () => {
  const runLimited = createSemaphore({ concurrency: 1, queueLimit: 10, onFull });
  const failed = runLimited(() => Promise.reject(new Error('no luck')));
  const next = runLimited(async () => 'next');
  await expect(failed).rejects.toThrow('no luck');
  expect(await next).toBe('next');
  expect(await runLimited(async () => 'again')).toBe('again');
});

test('rejects a call that finds the queue full', async () => {
  const runLimited = createSemaphore({ concurrency: 1, queueLimit: 1, onFull });
  const gate = Promise.withResolvers<void>();
  const running = runLimited(() => gate.promise);
  const waiting = runLimited(async () => 'waited');
  const refused = await runLimited(async () => 'never').catch((error: unknown) => error);
  expect(refused).toEqual(new Error('full'));
  gate.resolve();
  await running;
  expect(await waiting).toBe('waited');
});

test('a queued call whose signal aborts rejects with the reason and makes room for another', async () => {
  const runLimited = createSemaphore({ concurrency: 1, queueLimit: 2, onFull });
  const gate = Promise.withResolvers<void>();
  const leaving = new AbortController();
  const started: string[] = [];
  const work = (name: string) => async () => void started.push(name);
  const running = runLimited(() => gate.promise);
  const left = runLimited(work('left'), leaving.signal);
  const next = runLimited(work('next'), new AbortController().signal);
  await expect(runLimited(work('refused'))).rejects.toThrow('full');
  const reason = new Error('too late');
  leaving.abort(reason);
  await expect(left).rejects.toBe(reason);
  const last = runLimited(work('last'));
  gate.resolve();
  await Promise.all([running, next, last]);
  expect(started).toEqual(['next', 'last']);
});

test('a call whose signal has already aborted does not start', async () => {
  const runLimited = createSemaphore({ concurrency: 1, queueLimit: 1, onFull });
  const work = vi.fn(async () => {});
  const reason = new Error('too late');
  await expect(runLimited(work, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(work).not.toHaveBeenCalled();
  expect(await runLimited(async () => 'free')).toBe('free');
});

test('a call that was handed a slot uses and frees it, even if its signal aborts then', async () => {
  const runLimited = createSemaphore({ concurrency: 1, queueLimit: 2, onFull });
  const gate = Promise.withResolvers<void>();
  const late = new AbortController();
  const running = runLimited(() => gate.promise);
  const handed = runLimited(async () => 'handed', late.signal);
  // Aborts at the moment when the slot is handed over.
  const done = running.then(() => late.abort());
  gate.resolve();
  await done;
  expect(await handed).toBe('handed');
  expect(await runLimited(async () => 'again')).toBe('again');
});
