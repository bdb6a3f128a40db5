import { expect, test } from 'vitest';
import { follow } from '../../../src/contract/client/follow.ts';

test('a connection stands when its place is known, and what is lost before that is asked for anew', async () => {
  const streams = ['retry: 1\n\n', 'retry: 1\n\nid: 5\n\n', 'id: 5\n\nid: 6\ndata: {"id":6}\n\n'];
  const asked: (number | undefined)[] = [];
  const happened: string[] = [];
  const ending = new AbortController();
  const news = follow(
    async (after) => {
      asked.push(after);
      return new Response(streams[asked.length - 1]);
    },
    () => true,
    {
      signal: ending.signal,
      onConnect: () => happened.push('stands'),
      onLost: () => happened.push('lost'),
    },
  );
  expect(await news.next()).toEqual({ done: false, value: { id: 6 } });
  ending.abort();
  expect((await news.next()).done).toBe(true);
  expect(asked).toEqual([undefined, undefined, 5]);
  expect(happened).toEqual(['stands', 'lost', 'stands', 'lost']);
});

test('a loss is told once, however often the connection is tried in vain', async () => {
  const away = new Error('away');
  const answers = ['retry: 1\n\nid: 5\n\n', away, 'retry: 1\n\n', away, 'id: 5\n\nid: 6\ndata: {"id":6}\n\n'];
  const happened: string[] = [];
  const ending = new AbortController();
  const news = follow(
    async () => {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return new Response(answer);
    },
    () => false,
    {
      signal: ending.signal,
      onConnect: () => happened.push('stands'),
      onLost: () => happened.push('lost'),
    },
  );
  expect(await news.next()).toEqual({ done: false, value: { id: 6 } });
  expect(happened).toEqual(['stands', 'lost', 'stands']);
  ending.abort();
});
