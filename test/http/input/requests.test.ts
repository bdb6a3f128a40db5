import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/contract/registry.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

/** Sends a request as the superadmin, with extra headers. */
async function send(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  const response = await backoffice.service.fetch(path, {
    method,
    headers: { cookie: backoffice.superadmin.cookie, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

describe('a change from a page of another origin is 403', () => {
  const issue = JSON.stringify({ title: 'T' });

  test.for([
    ['POST', '/api/admin/issues', issue],
    ['PUT', '/api/admin/issues', '{"id":1,"status":"Open"}'],
    ['PUT', '/api/admin/settings', '{"updates":{}}'],
    ['DELETE', '/api/admin/admins?id=x', undefined],
  ] as const)('%s %s', async ([method, path, body]) => {
    for (const site of ['cross-site', 'same-site', 'nonsense']) {
      const { status, text } = await send(method, path, { 'sec-fetch-site': site }, body);
      expect([status, Object.keys(JSON.parse(text))], site).toEqual([403, ['error']]);
    }
    for (const site of ['same-origin', 'none']) {
      expect((await send(method, path, { 'sec-fetch-site': site }, body)).status, site).toBe(200);
    }
  });

  test('an Origin header without Sec-Fetch-Site is compared with the host', async () => {
    const { url } = backoffice.service;
    for (const origin of ['https://evil.example', 'null', url.replace(/\d+$/, '1'), `${url}.evil.example`]) {
      expect((await send('POST', '/api/admin/issues', { origin }, issue)).status, origin).toBe(403);
    }
    expect((await send('POST', '/api/admin/issues', { origin: url }, issue)).status).toBe(200);
  });

  test('a request without either header is accepted', async () => {
    expect((await send('POST', '/api/admin/issues', {}, issue)).status).toBe(200);
  });

  test('reading is not a change', async () => {
    expect((await send('GET', '/api/admin/issues', { 'sec-fetch-site': 'cross-site' })).status).toBe(200);
  });

  test('signing in is a change, also without a session', async () => {
    const response = await backoffice.service.fetch('/api/admin/session', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
      body: '{}',
    });
    expect(response.status).toBe(403);
  });

  test('401 comes first', async () => {
    const response = await backoffice.service.fetch('/api/admin/issues', {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: issue,
    });
    expect([response.status, await response.json()]).toEqual([401, { error: 'Unauthorized' }]);
  });
});

describe('an unlisted path is 404 after the session check', () => {
  test.for([
    '/api/admin',
    '/api/admin/',
    '/api/admin/nothing',
    '/api/admin/issues/',
    '/api/admin/issues/1',
    '/api/admin/Issues',
  ])('%s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const nobody = await backoffice.service.fetch(path, { method });
      expect([nobody.status, await nobody.json()], method).toEqual([401, { error: 'Unauthorized' }]);
      const { status, text } = await send(method, path);
      expect([status, JSON.parse(text)], method).toEqual([404, { error: expect.stringMatching(/\S/) }]);
    }
  });

  test('an unknown path outside of the API is 404 in JSON', async () => {
    const response = await backoffice.service.fetch('/api/nothing');
    expect([response.status, await response.json()]).toEqual([404, { error: expect.stringMatching(/\S/) }]);
  });
});

describe('a listed path with another method is 405 with Allow, after the session check', () => {
  const methodsOf = Map.groupBy(operations, ({ path }) => path as string);

  test.for([...methodsOf])('%s', async ([path, samePath]) => {
    const listed: string[] = samePath.map(({ method }) => method);
    if (listed.includes('GET')) listed.push('HEAD');
    listed.sort();
    const others = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].filter(
      (method) => !listed.includes(method),
    );
    for (const method of others) {
      const { status, headers, text } = await send(method, path);
      expect([status, JSON.parse(text)], method).toEqual([405, { error: expect.stringMatching(/\S/) }]);
      expect(headers.get('allow')?.split(', ').sort()).toEqual(listed);
      const nobody = await backoffice.service.fetch(path, { method });
      expect([nobody.status, await nobody.json()], method).toEqual([401, { error: 'Unauthorized' }]);
    }
  });
});

test('every response is JSON in UTF-8, and must not be used again without asking the service', async () => {
  const responses = [
    await send('GET', '/api/admin/issues'),
    await send('GET', '/api/admin/issues?period=daily'),
    await send('GET', '/api/admin/settings'),
    await send('POST', '/api/admin/issues', {}, '{}'),
    await send('POST', '/api/admin/issues', {}, '{'),
    await send('GET', '/api/admin/nothing'),
    await send('PATCH', '/api/admin/settings'),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 400, 500, 404, 405]);
  for (const [index, { headers }] of responses.entries()) {
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    // A list and an aggregate may be kept, to ask for them with their entity tag.
    expect(headers.get('cache-control')).toBe(index < 2 ? 'private, no-cache' : 'no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

describe('HEAD', () => {
  test('is 401 without a session', async () => {
    const response = await backoffice.service.fetch('/api/admin/issues', { method: 'HEAD' });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await response.text()).toBe('');
  });

  test.for(['/healthz', '/readyz', '/api/openapi.json', '/api/docs', '/api/docs/errors'])(
    'of %s is answered like GET',
    async (path) => {
      // Without compression the length of the text is known.
      const plain = { 'accept-encoding': 'identity' };
      const [head, get] = [await send('HEAD', path, plain), await send('GET', path, plain)];
      expect([head.status, head.text]).toEqual([get.status, '']);
      // Node's client asks to close the connection after HEAD.
      const ofOne = /^(x-request-id|date|connection|keep-alive|transfer-encoding|content-length)$/;
      const headersOf = ({ headers }: typeof get) => [...headers].filter(([name]) => !ofOne.test(name));
      expect(headersOf(head)).toEqual(headersOf(get));
    },
  );

  test('checks its parameters', async () => {
    expect((await send('HEAD', '/api/admin/issues?limit=0')).status).toBe(400);
  });

  test('of a path without GET is 405', async () => {
    expect((await send('HEAD', '/api/admin/token-usage')).status).toBe(405);
  });

  test('is not a change, so a page of another origin may send it', async () => {
    const { status } = await send('HEAD', '/api/admin/issues', { 'sec-fetch-site': 'cross-site' });
    expect(status).toBe(200);
  });

  test('of the event stream leaves no follower behind', async () => {
    for (let each = 0; each < 30; each++) expect((await send('HEAD', '/api/admin/events')).status).toBe(200);
  });
});
