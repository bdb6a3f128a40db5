import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Api, apiAs, errorResponse } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

describe('a query that fails', () => {
  /** Calls with an API token. Its check reads no admin, so the table of admins may fail. */
  let api: Api;

  beforeAll(async () => {
    const { service } = backoffice;
    const { secret } = await service.createToken('superadmin');
    api = apiAs(service.url, { authorization: `Bearer ${secret}` });
  });

  const tables = ['issues', 'conversations', 'settings', 'admins'];

  afterEach(async () => {
    for (const table of tables)
      await backoffice.sql(`alter table if exists ${table}_away rename to ${table}`);
  });

  /** Makes every query of a table fail, with a message that no caller may see because it contains SQL. */
  const breakTable = (table: string) => backoffice.sql(`alter table ${table} rename to ${table}_away`);

  const visitor = { visitor_email: 'v@example.com', visitor_name: 'V' };
  const account = { email: 'new@example.com', password: 'long enough' };

  test.for([
    ['GET conversations', 'Failed to load conversations.', 'conversations', () => api.get('/conversations')],
    [
      'POST conversations',
      'Failed to create conversation.',
      'conversations',
      () => api.post('/conversations', visitor),
    ],
    ['GET admins', 'Failed to load admins.', 'admins', () => api.get('/admins')],
    ['POST admins', 'Failed to create admin.', 'admins', () => api.post('/admins', account)],
    ['PUT admins', 'Failed to update admin.', 'admins', () => api.put('/admins', { id: 'x', username: 'U' })],
  ] as const)('section 7: 500 %s: unexpected failure -> %s', async ([, text, table, request]) => {
    expect((await request()).status).toBe(200);
    await breakTable(table);
    expect(await request()).toEqual(errorResponse(500, text));
  });

  /** What a caller must not see of the failure: SQL, table names, a stack trace, a host. */
  const leak =
    /relation|exist|_away|select|insert|update|issue|setting|admin|postgres|\d+\.\d+\.\d+\.\d+|\.ts|\n/i;

  test('section 7: 500 DELETE admins: a fixed text, not the underlying failure message', async () => {
    await breakTable('admins');
    const answers = [await api.delete('/admins?id=x'), await api.delete('/admins?id=y')];
    expect(answers[0]).toEqual({ status: 500, body: { error: expect.stringMatching(/\S/) } });
    expect(answers[0]?.body).not.toEqual({ error: expect.stringMatching(/relation|_away|exist|sql/i) });
    expect(answers[1]).toEqual(answers[0]);
  });

  test.for([
    ['GET issues', 'issues', () => api.get('/issues')],
    ['POST issues', 'issues', () => api.post('/issues', { title: 'T' })],
    ['PUT issues', 'issues', () => api.put('/issues', { id: 1, status: 'Open' })],
    ['GET settings', 'settings', () => api.get('/settings')],
    ['PUT settings', 'settings', () => api.put('/settings', { key: 'k', value: 'v' })],
  ] as const)(
    'section 7: 500 %s: unexpected failure -> its message, if safe to show',
    async ([, table, request]) => {
      expect((await request()).status).toBe(200);
      await breakTable(table);
      const answer = await request();
      expect(answer).toEqual({ status: 500, body: { error: expect.stringMatching(/\S/) } });
      expect(answer.body).not.toEqual({ error: expect.stringMatching(leak) });
    },
  );

  test('section 7: 500 GET issues with a period: unexpected failure -> its message, if safe to show', async () => {
    await backoffice.sql('alter function issue_statistics(text) rename to issue_statistics_away');
    const answer = await api.get('/issues?period=daily');
    await backoffice.sql('alter function issue_statistics_away(text) rename to issue_statistics');
    expect(answer).toEqual({ status: 500, body: { error: expect.stringMatching(/\S/) } });
    expect(answer.body).not.toEqual({ error: expect.stringMatching(leak) });
  });

  test('section 7: the service keeps working after a failure', async () => {
    await breakTable('issues');
    const failed = await Promise.all(Array.from({ length: 30 }, () => api.get('/issues')));
    expect(failed.map(({ status }) => status)).toEqual(Array(30).fill(500));
    await backoffice.sql('alter table issues_away rename to issues');
    const served = await Promise.all(Array.from({ length: 30 }, () => api.get('/issues')));
    expect(served.map(({ status }) => status)).toEqual(Array(30).fill(200));
  });
});
