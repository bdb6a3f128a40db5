import { createServer, type RequestListener } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Client, createClient } from '../../src/contract/client/client.ts';
import {
  follow,
  readEventStream,
  SilentStreamError,
  type StreamBlock,
} from '../../src/contract/client/follow.ts';
import { listenOnLoopback } from '../support/receivers/listen.ts';

/** What a server does with its first requests, one after the other. */
type Step = RequestListener;

const json = { 'content-type': 'application/json' };
const succeed: Step = (_req, res) => void res.writeHead(200, json).end('{"success":true,"id":7}');
const cut: Step = (req) => void req.socket.destroy();
/** Cuts the connection in the middle of the body. */
const cutBody: Step = (req, res) => {
  res.writeHead(200, { 'content-length': 23 }).write('{"succ', () => req.socket.destroy());
};
const answer =
  (status: number, headers: Record<string, string> = {}): Step =>
  (_req, res) =>
    void res.writeHead(status, headers).end('{"error":"No."}');

/** Starts a server that does the steps and repeats the last one. Returns a client of it, and the requests it got. */
async function clientOf(...steps: readonly Step[]) {
  const requests: { method: string | undefined; key: string | string[] | undefined }[] = [];
  const server = createServer((req, res) => {
    requests.push({ method: req.method, key: req.headers['idempotency-key'] });
    const step = steps[Math.min(requests.length, steps.length) - 1];
    step?.(req, res);
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { client: createClient({ baseUrl: `http://127.0.0.1:${port}` }), requests };
}

describe('a POST', () => {
  test.for<[string, Step]>([
    ['the connection is cut', cut],
    ['the connection is cut in the middle of the answer', cutBody],
    ['a proxy reaches no service', answer(502)],
    ['the service is starting', answer(503)],
    ['a proxy gets no answer', answer(504)],
    ['the first request is still running', answer(409, { 'retry-after': '0' })],
    ['the database is away for a moment', answer(500, { 'retry-after': '0' })],
  ])('is sent again with the same key when %s', async ([, step]) => {
    const { client, requests } = await clientOf(step, succeed);
    expect(await client.call('issues.create', { title: 'T' })).toEqual({ success: true, id: 7 });
    expect(requests).toHaveLength(2);
    expect(requests[0]?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(requests[1]).toEqual(requests[0]);
  });

  test.for([400, 409, 429, 500])('is not sent again after status %i', async (status) => {
    const { client, requests } = await clientOf(answer(status));
    await expect(client.call('issues.create', { title: 'T' })).rejects.toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  test('waits as long as the service says, and has a new key with each call', async () => {
    const { client, requests } = await clientOf(answer(503, { 'retry-after': '1' }), succeed);
    const start = performance.now();
    await client.call('issues.create', { title: 'T' });
    expect(performance.now() - start).toBeGreaterThan(990);
    await client.call('issues.create', { title: 'T' });
    expect(requests[2]?.key).not.toBe(requests[0]?.key);
  });

  test('fails after three retries, with the last answer', async () => {
    const { client, requests } = await clientOf(cut, answer(503), cut, answer(502));
    await expect(client.call('issues.create', { title: 'T' })).rejects.toMatchObject({ status: 502 });
    expect(requests).toHaveLength(4);
  });

  test('ends with its signal instead of being sent again', async () => {
    const aborted = new AbortController();
    const { client, requests } = await clientOf((req) => {
      aborted.abort(new Error('enough'));
      req.socket.destroy();
    });
    const call = client.call('issues.create', { title: 'T' }, aborted.signal);
    await expect(call).rejects.toThrow('enough');
    expect(requests).toHaveLength(1);
  });
});

test.for<[what: string, call: (client: Client) => Promise<unknown>]>([
  ['a PUT', (client) => client.call('issues.changeStatus', { id: 7, status: 'Open' })],
  ['a DELETE', (client) => client.call('conversations.delete', { id: 'conv' })],
  ['a sign-in', (client) => client.call('session.create', { email: 'a@example.com', password: 'secret' })],
])('%s has no key and is not sent again', async ([, call]) => {
  const { client, requests } = await clientOf(cut, succeed);
  await expect(call(client)).rejects.toThrow();
  expect(requests).toMatchObject([{ key: undefined }]);
});

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

/** Reads a stream of the text in pieces of so many bytes. */
async function blocksOf(text: string, cutEvery: number): Promise<StreamBlock[]> {
  const bytes = encoder.encode(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / cutEvery) }, (_, index) =>
    bytes.subarray(index * cutEvery, (index + 1) * cutEvery),
  );
  const blocks: StreamBlock[] = [];
  for await (const block of readEventStream(streamOf(pieces), longMs)) blocks.push(block);
  return blocks;
}

const data = '{"a":"é: 🎉\u2028"}';
/** The last event is cut off. A line separator of Unicode ends no line. */
const text = `retry: 1500\n\n: alive\nid: 4\n\nid: 5\nevent: issue.created\ndata: ${data}\n\ndata: one\ndata: two\n\nid: 9\ndata: ha`;
const blocks: StreamBlock[] = [
  { id: undefined, data: undefined, retry: 1500 },
  { id: '4', data: undefined, retry: undefined },
  { id: '5', data, retry: undefined },
  { id: undefined, data: 'one\ntwo', retry: undefined },
];

describe('an event stream', () => {
  test.for([1, 2, 3, 7, 1_000])('is read correctly in pieces of %i bytes', async (cutEvery) => {
    expect(await blocksOf(text, cutEvery)).toEqual(blocks);
    expect(await blocksOf(text.replaceAll('\n', '\r\n'), cutEvery)).toEqual(blocks);
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
