import { expect, test } from 'vitest';
import { BackofficeError } from '../../src/contract/errors.ts';
import { createTurns } from '../../src/services/turns.ts';

test('so much work runs at once, and the rest in the order it came', async () => {
  const inTurn = createTurns(2, 10);
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
  const inTurn = createTurns(1, 10);
  const failed = inTurn(() => Promise.reject(new Error('no luck')));
  const next = inTurn(async () => 'next');
  await expect(failed).rejects.toThrow('no luck');
  expect(await next).toBe('next');
  expect(await inTurn(async () => 'again')).toBe('again');
});

test('what comes when the line is full is told that the service is busy, and when to come back', async () => {
  const inTurn = createTurns(1, 1);
  const gate = Promise.withResolvers<void>();
  const running = inTurn(() => gate.promise);
  const waiting = inTurn(async () => 'waited');
  const refused = await inTurn(async () => 'never').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(BackofficeError);
  expect(refused).toMatchObject({ code: 'busy', retryAfter: 5 });
  gate.resolve();
  await running;
  expect(await waiting).toBe('waited');
});
