import { describe, expect, test } from 'vitest';
import {
  follow,
  readEventStream,
  SilentStreamError,
  type StreamBlock,
} from '../../../src/contract/client/follow.ts';

const encoder = new TextEncoder();

/** Longer than a test takes, so that no stream counts as silent. */
const longMs = 60_000;

/** Returns a stream of these pieces. It ends after them or falls silent. */
function streamOf(pieces: readonly Uint8Array[], ends = true): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      if (ends) controller.close();
    },
  });
}

async function blocksOf(text: string, cutEvery = text.length): Promise<StreamBlock[]> {
  const bytes = encoder.encode(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / cutEvery) }, (_, index) =>
    bytes.subarray(index * cutEvery, (index + 1) * cutEvery),
  );
  const blocks: StreamBlock[] = [];
  for await (const block of readEventStream(streamOf(pieces), longMs)) blocks.push(block);
  return blocks;
}

const text =
  'retry: 1500\n\n: alive\nid: 4\n\nid: 5\nevent: issue.created\ndata: {"a":"é: 🎉"}\n\ndata: one\ndata: two\n\n';
const blocks: StreamBlock[] = [
  { id: undefined, data: undefined, retry: 1500 },
  { id: '4', data: undefined, retry: undefined },
  { id: '5', data: '{"a":"é: 🎉"}', retry: undefined },
  { id: undefined, data: 'one\ntwo', retry: undefined },
];

describe('an event stream', () => {
  test.for([1, 2, 3, 7, 1_000])('is read correctly in pieces of %i bytes', async (cutEvery) => {
    expect(await blocksOf(text, cutEvery)).toEqual(blocks);
  });

  test('may have Windows line endings', async () => {
    expect(await blocksOf(text.replaceAll('\n', '\r\n'), 1)).toEqual(blocks);
  });

  test('may have line separators of Unicode within a line', async () => {
    const [block] = await blocksOf('id: 6\ndata: {"a":"one\u2028two\u2029three"}\n\n');
    expect(block).toMatchObject({ id: '6', data: '{"a":"one\u2028two\u2029three"}' });
  });

  test('drops an event that is cut off', async () => {
    expect(await blocksOf('data: whole\n\nid: 9\ndata: ha')).toEqual([
      { id: undefined, data: 'whole', retry: undefined },
    ]);
  });

  test('fails when it falls silent', async () => {
    const silent = readEventStream(streamOf([encoder.encode('data: last\n\n')], false), 50);
    expect((await silent.next()).value).toMatchObject({ data: 'last' });
    await expect(silent.next()).rejects.toThrow(SilentStreamError);
  });
});

describe('a follower', () => {
  /** Follows answers, one after the other. Returns its events, what it asked for, what it told, and how to end it. */
  function following(answers: readonly (string | Error)[], repeats: boolean) {
    const asked: (number | undefined)[] = [];
    const happened: string[] = [];
    const ending = new AbortController();
    const events = follow(
      async (after) => {
        const answer = answers[asked.push(after) - 1];
        if (answer instanceof Error) throw answer;
        return new Response(answer);
      },
      () => repeats,
      {
        signal: ending.signal,
        onConnect: () => happened.push('connected'),
        onLost: () => happened.push('lost'),
      },
    );
    return { events, asked, happened, end: () => ending.abort() };
  }

  const sixth = 'id: 5\n\nid: 6\ndata: {"id":6}\n\n';

  test('is connected once its position is known, and a loss before that repeats the request', async () => {
    const { events, asked, happened, end } = following(
      ['retry: 1\n\n', 'retry: 1\n\nid: 5\n\n', sixth],
      true,
    );
    expect(await events.next()).toEqual({ done: false, value: { id: 6 } });
    end();
    expect((await events.next()).done).toBe(true);
    expect(asked).toEqual([undefined, undefined, 5]);
    expect(happened).toEqual(['connected', 'lost', 'connected', 'lost']);
  });

  test('tells a loss once, however many attempts to reconnect fail', async () => {
    const away = new Error('away');
    const answers = ['retry: 1\n\nid: 5\n\n', away, 'retry: 1\n\n', away, sixth];
    const { events, happened, end } = following(answers, false);
    expect(await events.next()).toEqual({ done: false, value: { id: 6 } });
    expect(happened).toEqual(['connected', 'lost', 'connected']);
    end();
  });
});
