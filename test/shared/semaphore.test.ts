import { expect, test, vi } from 'vitest';
import { createSemaphore } from '../../src/shared/semaphore.ts';

test('so much work runs at once, and the rest in the order it came', async () => {
  const inTurn = createSemaphore({ concurrency: 2, queueLimit: 10, onFull: () => new Error('full') });
  const begun: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const works = gates.map((gate, index) =>
    inTurn(async () => {
      begun.push(index);
      await gate.promise;
      return index;
    }),
  );
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  gates[1]?.resolve();
  expect(await works[1]).toBe(1);
  expect(begun).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve();
  expect(await Promise.all(works)).toEqual([0, 1, 2, 3, 4]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

test('work that fails gives its turn back', async () => {
  const inTurn = createSemaphore({ concurrency: 1, queueLimit: 10, onFull: () => new Error('full') });
  const failed = inTurn(() => Promise.reject(new Error('no luck')));
  const next = inTurn(async () => 'next');
  await expect(failed).rejects.toThrow('no luck');
  expect(await next).toBe('next');
  expect(await inTurn(async () => 'again')).toBe('again');
});

test('a call that finds the queue full is refused', async () => {
  const inTurn = createSemaphore({ concurrency: 1, queueLimit: 1, onFull: () => new Error('full') });
  const gate = Promise.withResolvers<void>();
  const running = inTurn(() => gate.promise);
  const waiting = inTurn(async () => 'waited');
  const refused = await inTurn(async () => 'never').catch((error: unknown) => error);
  expect(refused).toEqual(new Error('full'));
  gate.resolve();
  await running;
  expect(await waiting).toBe('waited');
});

test('whose signal aborts leaves the line with its reason, and its place to another', async () => {
  const inTurn = createSemaphore({ concurrency: 1, queueLimit: 2, onFull: () => new Error('full') });
  const gate = Promise.withResolvers<void>();
  const leaving = new AbortController();
  const begun: string[] = [];
  const work = (name: string) => async () => void begun.push(name);
  const running = inTurn(() => gate.promise);
  const left = inTurn(work('left'), leaving.signal);
  const next = inTurn(work('next'), new AbortController().signal);
  await expect(inTurn(work('refused'))).rejects.toThrow('full');
  const reason = new Error('too late');
  leaving.abort(reason);
  await expect(left).rejects.toBe(reason);
  const last = inTurn(work('last'));
  gate.resolve();
  await Promise.all([running, next, last]);
  expect(begun).toEqual(['next', 'last']);
});

test('whose signal has aborted does not even begin', async () => {
  const inTurn = createSemaphore({ concurrency: 1, queueLimit: 1, onFull: () => new Error('full') });
  const work = vi.fn(async () => {});
  const reason = new Error('too late');
  await expect(inTurn(work, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(work).not.toHaveBeenCalled();
  expect(await inTurn(async () => 'free')).toBe('free');
});

test('a turn that was handed on is taken, and given back, whatever its signal does then', async () => {
  const inTurn = createSemaphore({ concurrency: 1, queueLimit: 2, onFull: () => new Error('full') });
  const gate = Promise.withResolvers<void>();
  const late = new AbortController();
  const running = inTurn(() => gate.promise);
  // Aborts in the very moment in which the turn is handed on.
  const handed = inTurn(async () => 'handed', late.signal);
  const done = running.then(() => late.abort());
  gate.resolve();
  await done;
  expect(await handed).toBe('handed');
  expect(await inTurn(async () => 'again')).toBe('again');
});
