import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/http/service.ts';

const overHttps = { 'x-forwarded-proto': 'https' };
const onHttpsAlone = ['strict-transport-security', 'cross-origin-opener-policy', 'origin-agent-cluster'];
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ TRUST_PROXY: '1' });
});

afterAll(() => service?.stop());

describe.for(['/api/admin/issues', '/api/docs', '/api/openapi.json', '/nowhere'])(
  'an answer of %s',
  (path) => {
    test('is taken for what it says it is, and shown in no frame of another site', async () => {
      const { headers } = await service.fetch(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toMatch(
        /default-src 'self'.*frame-ancestors '(self|none)'/,
      );
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    });

    test('does not tell what it was made with', async () => {
      const { headers } = await service.fetch(path);
      expect(headers.has('x-powered-by')).toBe(false);
      expect(headers.has('server')).toBe(false);
    });

    test('asks for HTTPS where it came by HTTPS', async () => {
      const { headers } = await service.fetch(path, { headers: overHttps });
      for (const name of onHttpsAlone) expect(headers.has(name), name).toBe(true);
    });

    test('asks nothing on plain HTTP that a browser refuses there, or that breaks the pages', async () => {
      const { headers } = await service.fetch(path);
      for (const name of onHttpsAlone) expect(headers.has(name), name).toBe(false);
      expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
    });
  },
);

test('an answer of the API is stored nowhere', async () => {
  const { headers } = await service.fetch('/api/admin/issues');
  expect(headers.get('cache-control')).toBe('no-store');
});
