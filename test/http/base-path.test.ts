import type { Request, Response } from 'express';
import { describe, expect, test } from 'vitest';
import { problemType } from '../../src/contract/vocabulary.ts';
import { prefixOf, serveUnder } from '../../src/http/requests/base-path.ts';
import { signIn } from '../support/here/accounts.ts';
import { backofficeHere, password } from '../support/here.ts';

const basePath = '/backoffice';
const backoffice = backofficeHere({ BACKOFFICE_BASE_PATH: basePath, TRUST_PROXY: '1' });

/** What a proxy that removes the path sends, and what one that leaves it sends. */
const proxies = ['', basePath];

const fetchPath = (path: string, headers: Record<string, string> = {}) =>
  backoffice.service.fetch(path, { headers });

describe.for(proxies)('behind a proxy that sends "%s" before a path', (sent) => {
  test('paths are answered as without it', async () => {
    for (const path of [
      '/api/admin/session',
      '/api/openapi.json',
      '/api/docs/errors',
      '/invitation',
      '/nowhere',
    ]) {
      const [answer, plain] = [await fetchPath(sent + path), await fetchPath(path)];
      expect([answer.status, await answer.text()], path).toEqual([plain.status, await plain.text()]);
    }
  });

  test('the files of the pages are found at the addresses that a browser makes of them', async () => {
    for (const page of ['/api/docs', '/api/docs/errors', '/reset-password']) {
      const html = await (await fetchPath(sent + page)).text();
      const addresses = [...html.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, address = '']) => address);
      expect(addresses.length).toBeGreaterThan(1);
      for (const address of addresses.filter((found) => !found.startsWith('data:'))) {
        const { origin, pathname } = new URL(address, `https://example.com${basePath}${page}`);
        expect([origin, pathname.slice(0, basePath.length)]).toEqual(['https://example.com', basePath]);
        expect((await fetchPath(sent + pathname.slice(basePath.length))).status, pathname).toBe(200);
      }
    }
  });

  test('problems, sentences, links to the next page and the OpenAPI document lead under the path', async () => {
    const { cookie } = backoffice.superadmin;
    const bodyOf = async (path: string, headers = {}) => await (await fetchPath(sent + path, headers)).json();
    const type = `${basePath}/api/docs/errors#unauthenticated`;
    expect(await bodyOf('/api/admin/issues', { accept: problemType })).toMatchObject({ type });
    const error = 'Unknown endpoint. See /backoffice/api/docs.';
    expect(await bodyOf('/api/admin/nowhere', { cookie })).toEqual({ error });
    expect(await bodyOf('/api/openapi.json')).toMatchObject({ servers: [{ url: basePath }] });
    await backoffice.service.signIn('user');
    const page = await fetchPath(`${sent}/api/admin/admins?limit=1`, { cookie });
    expect(page.headers.get('link')).toMatch(/^<\?limit=1&/);
  });

  test('the cookie belongs to the path, so that other services of the host do not receive it', async () => {
    const service = {
      ...backoffice.service,
      fetch: (path: string, init?: RequestInit) => backoffice.service.fetch(sent + path, init),
    };
    const { email } = backoffice.superadmin;
    for (const [proto, name] of [
      ['http', 'backoffice'],
      ['https', '__Secure-backoffice'],
    ] as const) {
      const headers = { 'x-forwarded-proto': proto };
      const response = await signIn(service, { email, password }, headers);
      const [cookie = ''] = response.headers.getSetCookie();
      expect(cookie.split('=', 1)[0]).toBe(name);
      expect(cookie).toContain('; Path=/backoffice; HttpOnly');
      const own = { ...headers, cookie: cookie.split(';', 1)[0] ?? '' };
      const path = '/api/admin/session';
      expect((await service.fetch(path, { headers: own })).status).toBe(200);
      const ended = await service.fetch(path, { method: 'DELETE', headers: own });
      expect(ended.headers.getSetCookie()[0]).toMatch(new RegExp(`^${name}=; Path=/backoffice; Expires=`));
    }
  });
});

test('a path that only begins with the same letters is another one', async () => {
  expect((await fetchPath('/backoffices/healthz')).status).toBe(404);
  expect((await fetchPath('/backoffice?x')).status).toBe((await fetchPath('/?x')).status);
  expect((await fetchPath('/backoffice//healthz')).status).toBe(404);
});

describe('X-Forwarded-Prefix', () => {
  /** Returns the path under which the client sees the service. */
  function prefix(header: string | undefined, trustProxy: number): string {
    const req = { url: '/', headers: { 'x-forwarded-prefix': header } } as unknown as Request;
    serveUnder(basePath, trustProxy)(req, {} as Response, () => undefined);
    return prefixOf(req);
  }

  test.for([
    [undefined, 1, '/backoffice'],
    ['/desk', 0, '/backoffice'],
    ['/desk', 1, '/desk'],
    ['/forged, /desk', 1, '/desk'],
    ['/outer, /inner', 2, '/outer/inner'],
    ['//example.com', 1, '/backoffice'],
    ['/desk"><script>', 1, '/backoffice'],
    ['/desk; Domain=example.com', 1, '/backoffice'],
    [`/${'a'.repeat(500)}`, 1, '/backoffice'],
  ] as const)('%s behind %s trusted proxies means "%s"', ([header, trustProxy, expected]) => {
    expect(prefix(header, trustProxy)).toBe(expected);
  });

  test('decides what the answers say', async () => {
    const headers = { 'x-forwarded-prefix': '/desk', accept: problemType };
    const problem = await fetchPath('/api/admin/issues', headers);
    expect(await problem.json()).toMatchObject({ type: '/desk/api/docs/errors#unauthenticated' });
  });
});
