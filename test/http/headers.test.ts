import { describe, expect, test } from 'vitest';
import { bearer } from '../support/here/requests.ts';
import { backofficeHere } from '../support/here.ts';

const overHttps = { 'x-forwarded-proto': 'https' };
const onlyOnHttps = ['strict-transport-security', 'cross-origin-opener-policy', 'origin-agent-cluster'];
const proxied = backofficeHere({
  TRUST_PROXY: '1',
  BACKOFFICE_SECURITY_CONTACT: 'mailto:security@example.com',
});

test.for(['/api/admin/issues', '/api/docs', '/api/openapi.json', '/nowhere'])(
  '%s forbids sniffing, framing and referrers',
  async (path) => {
    const { headers } = await proxied.service.fetch(path);
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/default-src 'self'.*frame-ancestors '(self|none)'/),
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    // Browsers reject these on plain HTTP, or they break the pages.
    for (const name of ['x-powered-by', 'server', ...onlyOnHttps])
      expect(headers.has(name), name).toBe(false);
    expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
    const secure = await proxied.service.fetch(path, { headers: overHttps });
    for (const name of onlyOnHttps) expect(secure.headers.has(name), name).toBe(true);
  },
);

test('keeps an idle connection open for longer than a proxy does', async () => {
  const { headers } = await proxied.service.fetch('/healthz');
  expect(headers.get('keep-alive')).toBe('timeout=65');
});

test('security.txt names the contact, for at most a year', async () => {
  const response = await proxied.service.fetch('/.well-known/security.txt');
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  const [contact, expires = ''] = (await response.text()).split('\n');
  expect(contact).toBe('Contact: mailto:security@example.com');
  const days = (Date.parse(expires.replace('Expires: ', '')) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(178);
  expect(days).toBeLessThan(365);
});

describe('other origins', () => {
  const app = 'https://app.example.com';
  const second = 'http://localhost:5173';
  const stranger = 'https://evil.example';

  const own = backofficeHere({ BACKOFFICE_CORS_ORIGINS: `${app},${second}` });

  /** The names in a header that is a list. */
  const listOf = (headers: Headers, name: string) =>
    (headers.get(name) ?? '').split(',').map((each) => each.trim().toLowerCase());

  const preflight = (origin: string) =>
    own.service.fetch('/api/admin/issues', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PATCH' },
    });

  const create = (headers: Record<string, string>) =>
    own.service.fetch('/api/admin/issues', { method: 'POST', headers, body: '{"title":"T"}' });

  test('a preflight of an allowed origin is 204 with what the API takes, without a session', async () => {
    const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'];
    const own = ['idempotency-key', 'if-none-match', 'prefer', 'last-event-id', 'x-request-id'];
    const names = ['authorization', 'content-type', ...own];
    for (const origin of [app, second]) {
      const { status, headers } = await preflight(origin);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, origin]);
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(listOf(headers, 'access-control-allow-methods')).toEqual(expect.arrayContaining(methods));
      expect(listOf(headers, 'access-control-allow-headers')).toEqual(expect.arrayContaining(names));
      expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0);
      expect(listOf(headers, 'vary')).toContain('origin');
    }
  });

  test('a preflight of any other origin is refused', async () => {
    const similar = [`${app}.evil.example`, app.toUpperCase(), 'http://app.example.com'];
    for (const origin of [stranger, 'null', ...similar]) {
      const { status, headers } = await preflight(origin);
      expect([status, headers.get('access-control-allow-origin')], origin).toEqual([401, null]);
      expect(listOf(headers, 'vary')).toContain('origin');
    }
  });

  test.for([
    ['a success', '/api/admin/session', {}, 200],
    ['that there is no session', '/api/admin/issues', {}, 401],
    ['a body that is too large', '/api/admin/issues', { method: 'POST', body: 'x'.repeat(1_100_000) }, 413],
    ['the event stream', '/api/admin/events', {}, 200],
  ] as const)('only pages of an allowed origin may read %s', async ([, path, init, expected]) => {
    const shown = ['link', 'etag', 'x-request-id', 'retry-after', 'www-authenticate'];
    const exposed = [...shown, 'idempotency-replayed', 'preference-applied'];
    for (const origin of [app, stranger, 'null']) {
      const sent = { origin, ...(expected === 401 ? {} : { cookie: own.superadmin.cookie }) };
      const response = await own.service.fetch(path, { ...init, headers: sent });
      const { status, headers } = response;
      await response.body?.cancel();
      expect(listOf(headers, 'vary')).toContain('origin');
      expect(headers.get('access-control-allow-origin'), origin).toBe(origin === app ? app : null);
      if (origin !== app) continue;
      expect(status).toBe(expected);
      expect(listOf(headers, 'access-control-expose-headers')).toEqual(expect.arrayContaining(exposed));
    }
  });

  test('a change with the cookie is accepted from an allowed origin, and is 403 from others', async () => {
    const { cookie } = own.superadmin;
    for (const site of [{}, { 'sec-fetch-site': 'same-site' }, { 'sec-fetch-site': 'cross-site' }]) {
      const headers = { cookie, ...site };
      expect((await create({ ...headers, origin: app })).status).toBe(200);
      expect((await create({ ...headers, origin: stranger })).status).toBe(403);
    }
    expect((await create({ cookie, 'sec-fetch-site': 'same-site' })).status).toBe(403);
  });

  test('a change with a token is accepted from every origin, but not with a cookie beside another scheme', async () => {
    const { secret } = await own.service.createToken('admin');
    const { cookie } = own.superadmin;
    const site = { origin: stranger, 'sec-fetch-site': 'cross-site' };
    expect((await create({ ...bearer(secret), ...site })).status).toBe(200);
    expect((await create({ authorization: 'Basic YTpi', cookie, ...site })).status).toBe(403);
    expect((await create({ ...bearer('bo_x'), cookie, ...site })).status).toBe(401);
  });

  test('without BACKOFFICE_CORS_ORIGINS there is no CORS header', async () => {
    const { status, headers } = await proxied.service.fetch('/api/admin/issues', {
      method: 'OPTIONS',
      headers: { origin: app, 'access-control-request-method': 'GET' },
    });
    expect(status).toBe(401);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});
