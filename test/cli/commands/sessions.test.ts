import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession, startTestService, type TestService } from '../../support/here.ts';
import { backoffice } from '../../support/run.ts';

describe('backoffice sessions', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
    await service.signIn('user', 'ada@example.com');
  });

  afterAll(async () => {
    await service.stop();
  });

  const run = (words: string, stdin = '') =>
    backoffice(words.split(' '), { stdin, env: { DATABASE_URL: service.databaseUrl } });

  test('lists sessions and ends them', async () => {
    const cookie = await openSession(service.url, 'ada@example.com');
    const { stdout } = await run('sessions list');
    expect(stdout).toMatch(/^\S+\tada@example\.com\tuser\t\d{4}-\S+Z\t\d{4}-\S+Z$/m);
    expect(await run('sessions revoke ada@example.com')).toMatchObject({ code: 2, stdout: '' });
    const ended = await run('sessions revoke ada@example.com --yes');
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toMatch(/^Ended \d+ sessions? of ada@example\.com\.\n$/);
    expect((await service.fetch('/api/admin/session', { headers: { cookie } })).status).toBe(401);
    expect(await run('sessions revoke ada@example.com --yes')).toMatchObject({
      code: 3,
      stderr: 'backoffice: No sessions of ada@example.com. Run `backoffice sessions list` to see all.\n',
    });
  });
});
