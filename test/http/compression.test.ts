import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { compressInto } from '../../src/http/responses/compression.ts';
import { writeWithin } from '../../src/http/responses/send.ts';
import { backofficeHere } from '../support/here.ts';
import { listenOnLoopback } from '../support/receivers/listen.ts';

const backoffice = backofficeHere();
const rows = 25_000;

beforeAll(async () => {
  // No search reads them, and indexing random texts would take most of the time of this file.
  await backoffice.sql('alter table issues disable trigger issues_add_search');
  // Random base64 shrinks by a quarter only, so the list is larger than all buffers in any coding.
  await backoffice.sql(
    `insert into issues (title, status, description)
     select 'Listed', case when n % 10 = 0 then 'Closed' else 'Open' end, (select string_agg(encode(sha256((n || '-' || part)::bytea), 'base64'), '') from generate_series(1, 12) part)
     from generate_series(1, $1) n`,
    [rows],
  );
});

/** Requests a path. `fetch` would choose a coding itself. */
async function request(
  path: string,
  accepted: string | undefined,
  { url = backoffice.service.url, cookie = backoffice.superadmin.cookie } = {},
): Promise<IncomingMessage> {
  const headers = { cookie, ...(accepted === undefined ? {} : { 'accept-encoding': accepted }) };
  const [response]: IncomingMessage[] = await once(get(url + path, { agent: false, headers }), 'response');
  if (response === undefined) throw new Error('No response.');
  return response;
}

function decode(coding: string, bytes: Buffer): string {
  if (coding === 'br') return brotliDecompressSync(bytes).toString();
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

/** Requests a path and returns the coding, the bytes as sent, and the text. */
async function read(path: string, accepted: string | undefined) {
  const response = await request(path, accepted);
  const bytes = await buffer(response);
  const { 'content-encoding': coding = 'none', vary, 'content-length': length } = response.headers;
  return { coding, vary, length, bytes: bytes.length, text: decode(coding, bytes) };
}

describe.for(['br', 'gzip'] as const)('in %s', (coding) => {
  test.for([
    ['a list of many pieces', '/api/admin/issues?status=Closed'],
    ['a page', '/api/admin/issues?limit=100'],
    ['the API document', '/api/openapi.json'],
  ] as const)('%s has the same text, and is shorter', async ([, path]) => {
    const [compressed, plain] = [await read(path, coding), await read(path, undefined)];
    expect([compressed.coding, plain.coding]).toEqual([coding, 'none']);
    expect(compressed.text === plain.text).toBe(true);
    expect(compressed.bytes).toBeLessThan(plain.bytes * 0.8);
    expect([compressed.vary, plain.vary]).toEqual(Array(2).fill(expect.stringContaining('Accept-Encoding')));
    if (compressed.length !== undefined) expect(Number(compressed.length)).toBe(compressed.bytes);
  });
});

test.for([
  ['gzip, deflate, br', 'br'],
  ['GZIP, deflate', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['gzip, identity;q=0.5', 'gzip'],
  ['identity;q=0, deflate, zstd', 'none'],
  [undefined, 'none'],
] as const)('Accept-Encoding: %s is answered with %s', async ([accepted, coding]) => {
  expect((await read('/api/admin/issues?limit=50', accepted)).coding).toBe(coding);
});

test('nothing is compressed that is short, an error, a change or a stream, or that may hold secrets', async () => {
  const { cookie, client } = backoffice.superadmin;
  await client.call('settings.update', { key: 'long', value: 'x'.repeat(5_000) });
  for (const path of ['issues?limit=1', 'issues?limit=0', 'settings'])
    expect((await read(`/api/admin/${path}`, 'br, gzip')).coding, path).toBe('none');
  const url = `http://example.com/${'x'.repeat(2_000)}`;
  const created = await backoffice.service.fetch('/api/admin/webhooks', {
    method: 'POST',
    headers: { cookie, 'accept-encoding': 'gzip' },
    body: JSON.stringify({ url, events: ['issue.created'] }),
  });
  expect([created.status, created.headers.get('content-encoding')]).toEqual([200, null]);
  const stream = await request('/api/admin/events', 'gzip');
  expect(stream.headers['content-encoding']).toBe(undefined);
  stream.destroy();
});

/** Returns the service's connections that read a list. */
const listsBeingRead = () =>
  backoffice.sql(`
    select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'
      and pid <> pg_backend_pid() and state <> 'idle'
  `);

test('a compressed list is read no faster than its reader takes it', async () => {
  const { cookie } = await backoffice.service.signIn('admin');
  const paused = await request('/api/admin/issues', 'gzip', { cookie });
  paused.pause();
  // Another reader gets all of it in the meantime.
  expect((await read('/api/admin/issues', 'gzip')).text).toMatch(/]}$/);
  await expect.poll(listsBeingRead).toHaveLength(1);
  const bytes = await buffer(paused);
  expect(paused.complete).toBe(true);
  expect(decode('gzip', bytes).split('"severity"')).toHaveLength(rows + 1);
});

test('a reader that takes nothing is disconnected', async () => {
  const stalled = Promise.withResolvers<ServerResponse>();
  const server = createServer(async (_req, res) => {
    res.flushHeaders();
    const body = compressInto(res, 'gzip');
    while (await writeWithin(100, body, randomBytes(500_000).toString('base64')));
    stalled.resolve(res);
  });
  onTestFinished(() => void server.close());
  const reader = await request('/', 'gzip', { url: `http://127.0.0.1:${await listenOnLoopback(server)}` });
  reader.on('error', () => {}).pause();
  const sent = await stalled.promise;
  await expect.poll(() => sent.destroyed).toBe(true);
});
