import { expect, test } from 'vitest';
import { follow } from '../../../src/contract/client/follow.ts';

test('a connection is established once its position is known, and a loss before that repeats the request', async () => {
  const streams = ['retry: 1\n\n', 'retry: 1\n\nid: 5\n\n', 'id: 5\n\nid: 6\ndata: {"id":6}\n\n'];
  const asked: (number | undefined)[] = [];
  const happened: string[] = [];
  const ending = new AbortController();
  const events = follow(
    async (after) => {
      asked.push(after);
      return new Response(streams[asked.length - 1]);
    },
    () => true,
    {
      signal: ending.signal,
      onConnect: () => happened.push('connected'),
      onLost: () => happened.push('lost'),
    },
  );
  expect(await events.next()).toEqual({ done: false, value: { id: 6 } });
  ending.abort();
  expect((await events.next()).done).toBe(true);
  expect(asked).toEqual([undefined, undefined, 5]);
  expect(happened).toEqual(['connected', 'lost', 'connected', 'lost']);
});

test('a loss is reported once, however many attempts to reconnect fail', async () => {
  const away = new Error('away');
  const answers = ['retry: 1\n\nid: 5\n\n', away, 'retry: 1\n\n', away, 'id: 5\n\nid: 6\ndata: {"id":6}\n\n'];
  const happened: string[] = [];
  const ending = new AbortController();
  const events = follow(
    async () => {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return new Response(answer);
    },
    () => false,
    {
      signal: ending.signal,
      onConnect: () => happened.push('connected'),
      onLost: () => happened.push('lost'),
    },
  );
  expect(await events.next()).toEqual({ done: false, value: { id: 6 } });
  expect(happened).toEqual(['connected', 'lost', 'connected']);
  ending.abort();
});
