import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { currentSignal } from '../../../src/db/connection/caller.ts';
import { type CallerPace, createCallerPace } from '../../../src/db/connection/caller-pace.ts';
import { withDeadline } from '../../../src/http/requests/deadline.ts';
import { shareCalls } from '../../../src/services/call/limit-calls.ts';

const account = { key: 'a', call: 1 };
const pool = { paced: 0 };

/** Returns the error that a request gets whose work ends with its signal. */
async function failureOf(
  method: string,
  pace: CallerPace,
  isRepeatable = false,
  work = () => new Promise<void>((_, reject) => currentSignal()?.addEventListener('abort', reject)),
): Promise<unknown> {
  const req = { method, headers: {}, readableEnded: true, log: { error() {} } } as unknown as Request;
  const res = new EventEmitter() as Response;
  const failures: unknown[] = [];
  const fail = (error: unknown) => failures.push(error);
  await withDeadline(req, res, { name: 'test', isRepeatable, fail, timeoutMs: 20 }, async () => {
    await pace(account, pool, work, currentSignal());
  });
  expect(failures).toHaveLength(1);
  return failures[0];
}

test('a read that waits for other work of its account until its time is over may be sent again', async () => {
  const pace = createCallerPace(1);
  const gate = Promise.withResolvers<void>();
  const other = pace(account, pool, () => gate.promise);
  expect(await failureOf('GET', pace)).toMatchObject({ code: 'busy', retryAfter: 5 });
  expect(await failureOf('POST', pace)).toMatchObject({ code: 'failed' });
  gate.resolve();
  await other;
});

test('so may a read that has waited, and whose time is over while it runs', async () => {
  const pace = createCallerPace(1);
  const gate = Promise.withResolvers<void>();
  const other = pace(account, pool, () => gate.promise);
  const failure = failureOf('GET', pace);
  gate.resolve();
  await other;
  expect(await failure).toMatchObject({ code: 'busy' });
});

test('a read that takes too long by itself fails', async () => {
  expect(await failureOf('GET', createCallerPace(1))).toMatchObject({ code: 'failed' });
});

test('a sign-in that waits in a queue of the service may be sent again, another change may not', async () => {
  const run = shareCalls({ maxConcurrent: 1, maxQueued: 10, lends: true });
  const gate = Promise.withResolvers<void>();
  const other = run(() => gate.promise);
  const queued: CallerPace = (_account, _pool, work, signal) => run(work, signal);
  expect(await failureOf('POST', queued, true)).toMatchObject({ code: 'busy', retryAfter: 5 });
  expect(await failureOf('POST', queued)).toMatchObject({ code: 'failed' });
  gate.resolve();
  await other;
  expect(await failureOf('POST', queued, true)).toMatchObject({ code: 'failed' });
});
