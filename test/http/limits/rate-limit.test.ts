import { expect, test } from 'vitest';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';
import { startTestService } from '../../support/http/service.ts';

const backoffice = backofficeOfThisFile();

test('BACKOFFICE_RATE_LIMIT limits the requests of each caller, and says how many are left', async () => {
  const { service, superadmin } = backoffice;
  const limited = await startTestService({
    DATABASE_URL: service.databaseUrl,
    BACKOFFICE_RATE_LIMIT: '3/h',
  });
  const { secret } = await service.createToken('user');
  const get = (headers: Record<string, string>, path = '/issues?limit=1') =>
    limited.fetch(`/api/admin${path}`, { headers });
  try {
    const { cookie } = superadmin;
    for (const left of [2, 1, 0]) {
      const response = await get({ cookie });
      expect(response.status).toBe(200);
      expect(response.headers.get('ratelimit-policy')).toBe('"caller";q=3;w=3600');
      expect(response.headers.get('ratelimit')).toMatch(RegExp(`^"caller";r=${left};t=3(600|5\\d\\d)$`));
    }
    const refused = await get({ cookie });
    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({ error: 'Too many requests. Try again later.' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500);
    expect(refused.headers.get('ratelimit')).toMatch(/^"caller";r=0;t=3/);
    // An unknown path counts too, and an EventSource is told to come again.
    expect((await get({ cookie }, '/nothing')).status).toBe(429);
    const stream = await get({ cookie, accept: 'text/event-stream' }, '/events');
    expect([stream.status, await stream.text()]).toEqual([200, expect.stringContaining('retry: 3')]);

    // Others have their own count, and those who are nobody that of their network.
    expect((await get({ authorization: `Bearer ${secret}` })).headers.get('ratelimit')).toContain('r=2');
    const strangers = await Promise.all([1, 2, 3, 4].map(() => get({ authorization: 'Bearer bo_wrong' })));
    expect(strangers.map(({ status }) => status).sort()).toEqual([401, 401, 401, 429]);
  } finally {
    await limited.stop();
  }
});

test('BACKOFFICE_RATE_LIMIT counts every call of an MCP batch', async () => {
  const { service } = backoffice;
  const limited = await startTestService({
    DATABASE_URL: service.databaseUrl,
    BACKOFFICE_RATE_LIMIT: '3/h',
  });
  try {
    const { secret } = await service.createToken('user');
    const call = { method: 'tools/call', params: { name: 'issues_list', arguments: { limit: 1 } } };
    const response = await limited.fetch('/api/mcp', {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${secret}`,
      },
      body: JSON.stringify(Array.from({ length: 5 }, (_, id) => ({ jsonrpc: '2.0', id, ...call }))),
    });
    expect([response.status, response.headers.get('ratelimit')]).toEqual([
      200,
      expect.stringMatching(/^"caller";r=0;/),
    ]);
    const answers = (await response.json()) as { result: { isError?: true; content: { text: string }[] } }[];
    const refused = answers.filter(({ result }) => result.isError);
    expect([answers.length, refused.length]).toEqual([5, 2]);
    for (const { result } of refused) {
      expect(result.content[0]?.text).toContain('Too many requests. Try again later.');
    }
  } finally {
    await limited.stop();
  }
});

test('without it there are no such headers', async () => {
  const response = await backoffice.service.fetch('/api/admin/session', {
    headers: { cookie: backoffice.superadmin.cookie },
  });
  expect(response.headers.has('ratelimit')).toBe(false);
  expect(response.headers.has('ratelimit-policy')).toBe(false);
});
