import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { withDeadline } from '../../../src/http/requests/deadline.ts';

test.for(['GET', 'POST'])(
  'a %s that takes too long fails, and its work ends with the signal',
  async (method) => {
    const req = { method, headers: {}, readableEnded: true, log: { error() {} } } as unknown as Request;
    const res = new EventEmitter() as Response;
    const failures: unknown[] = [];
    await withDeadline(
      req,
      res,
      { name: 'test', fail: (error) => failures.push(error), timeoutMs: 20 },
      (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    expect(failures).toMatchObject([{ code: 'failed', message: 'The request took too long.' }]);
  },
);
