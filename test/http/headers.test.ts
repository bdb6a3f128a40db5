import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/here.ts';

const overHttps = { 'x-forwarded-proto': 'https' };
const onlyOnHttps = ['strict-transport-security', 'cross-origin-opener-policy', 'origin-agent-cluster'];
let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    TRUST_PROXY: '1',
    BACKOFFICE_SECURITY_CONTACT: 'mailto:security@example.com',
  });
});

afterAll(() => service?.stop());

describe.for(['/api/admin/issues', '/api/docs', '/api/openapi.json', '/nowhere'])(
  'a response of %s',
  (path) => {
    test('forbids content sniffing, framing by other sites and referrers', async () => {
      const { headers } = await service.fetch(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toMatch(
        /default-src 'self'.*frame-ancestors '(self|none)'/,
      );
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    });

    test('does not name its software', async () => {
      const { headers } = await service.fetch(path);
      expect(headers.has('x-powered-by')).toBe(false);
      expect(headers.has('server')).toBe(false);
    });

    test('sets the HTTPS headers on HTTPS', async () => {
      const { headers } = await service.fetch(path, { headers: overHttps });
      for (const name of onlyOnHttps) expect(headers.has(name), name).toBe(true);
    });

    test('sets no header on plain HTTP that browsers reject there or that breaks the pages', async () => {
      const { headers } = await service.fetch(path);
      for (const name of onlyOnHttps) expect(headers.has(name), name).toBe(false);
      expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
    });
  },
);

test('a response of the API must not be cached', async () => {
  const { headers } = await service.fetch('/api/admin/issues');
  expect(headers.get('cache-control')).toBe('no-store');
});

test('keeps an idle connection open for longer than a proxy does', async () => {
  const { headers } = await service.fetch('/healthz');
  expect(headers.get('keep-alive')).toBe('timeout=65');
});

test('security.txt names the contact, for at most a year', async () => {
  const response = await service.fetch('/.well-known/security.txt');
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  const [contact, expires = ''] = (await response.text()).split('\n');
  expect(contact).toBe('Contact: mailto:security@example.com');
  const days = (Date.parse(expires.replace('Expires: ', '')) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(178);
  expect(days).toBeLessThan(365);
});
