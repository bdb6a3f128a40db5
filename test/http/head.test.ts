import { beforeAll, expect, test } from 'vitest';
import { backofficeHere } from '../support/here.ts';

const backoffice = backofficeHere();

beforeAll(async () => {
  await backoffice.superadmin.client.call('issues.create', { title: 'Listed' });
});

async function send(method: 'GET' | 'HEAD', path: string, cookie = backoffice.superadmin.cookie) {
  const response = await backoffice.service.fetch(path, {
    method,
    // Without compression the length of the text is known.
    headers: { cookie, 'accept-encoding': 'identity' },
  });
  const headers = Object.fromEntries(response.headers);
  // Node's client asks to close the connection after HEAD.
  const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];
  for (const name of ['x-request-id', 'date', ...ofConnection]) delete headers[name];
  const isStream = headers['content-type'] === 'text/event-stream; charset=utf-8';
  if (method === 'GET' && isStream) await response.body?.cancel();
  const text = method === 'GET' && isStream ? '' : await response.text();
  return { status: response.status, headers, text };
}

test('HEAD is 401 without a session', async () => {
  const { status, text, headers } = await send('HEAD', '/api/admin/issues', '');
  expect([status, text, headers['www-authenticate']]).toEqual([401, '', 'Bearer']);
});

test.for(['/healthz', '/readyz', '/api/openapi.json', '/api/docs', '/api/docs/errors'])(
  'HEAD of %s is answered like GET',
  async (path) => {
    const [head, get] = [await send('HEAD', path), await send('GET', path)];
    expect(head).toStrictEqual({ ...get, text: '' });
  },
);

test('HEAD checks its parameters', async () => {
  expect((await send('HEAD', '/api/admin/issues?limit=0')).status).toBe(400);
});

test('HEAD of a path without GET is 405', async () => {
  expect((await send('HEAD', '/api/admin/token-usage')).status).toBe(405);
});

test('HEAD is not a change, so a page of another origin may send it', async () => {
  const { status } = await backoffice.service.fetch('/api/admin/issues', {
    method: 'HEAD',
    headers: { cookie: backoffice.superadmin.cookie, 'sec-fetch-site': 'cross-site' },
  });
  expect(status).toBe(200);
});

test('HEAD of the event stream leaves no follower behind', async () => {
  for (let each = 0; each < 30; each++) expect((await send('HEAD', '/api/admin/events')).status).toBe(200);
});
