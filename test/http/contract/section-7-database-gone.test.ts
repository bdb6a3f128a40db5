import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Api, type ApiResponse, apiAs } from '../../support/here/requests.ts';
import { type SignedIn, startTestService, type TestService } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';

let service: TestService;
let superadmin: SignedIn;
let api: Api;

beforeAll(async () => {
  service = await startTestService();
  superadmin = await service.signIn('superadmin');
  api = apiAs(service.url, superadmin);
});

afterAll(() => service?.stop());

/** Opens the database of the service, or closes it and ends its connections. */
async function setDatabase(open: boolean): Promise<void> {
  const name = new URL(service.databaseUrl).pathname.slice(1);
  await withClient(inject('adminUrl'), async (client) => {
    await client.query(`alter database "${name}" allow_connections ${open}`);
    if (open) return;
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  });
}

const requests: [name: string, text: string | RegExp, request: (api: Api) => Promise<ApiResponse>][] = [
  ['GET issues', /^\S/, (by) => by.get('/issues')],
  ['GET issues with a period', /^\S/, (by) => by.get('/issues?period=daily')],
  ['POST issues', /^\S/, (by) => by.post('/issues', { title: 'T' })],
  ['PUT issues', /^\S/, (by) => by.put('/issues', { id: 1, status: 'Open' })],
  ['GET settings', /^\S/, (by) => by.get('/settings')],
  ['PUT settings', /^\S/, (by) => by.put('/settings', { key: 'k', value: 'v' })],
  ['GET conversations', 'Failed to load conversations.', (by) => by.get('/conversations')],
  [
    'POST conversations',
    'Failed to create conversation.',
    (by) => by.post('/conversations', { visitor_email: 'v@example.com', visitor_name: 'V' }),
  ],
  ['GET admins', 'Failed to load admins.', (by) => by.get('/admins')],
  [
    'POST admins',
    'Failed to create admin.',
    (by) => by.post('/admins', { email: 'n@example.com', password: 'long enough' }),
  ],
  ['PUT admins', 'Failed to update admin.', (by) => by.put('/admins', { id: 'x', username: 'U' })],
  ['DELETE admins', /^\S/, (by) => by.delete('/admins?id=x')],
];

/** What a caller must not see: the address of the database, queries, and places in the code. */
const leak = /\d+\.\d+\.\d+\.\d+|localhost|:\d{4}|test_|ECONN|select|session|pg_|slonik|\.ts|\n/i;

test('section 7: without the database every operation is a 500 in JSON with its own text, and recovers afterwards', async () => {
  await setDatabase(false);
  const failed = await Promise.all(requests.map(([, , request]) => request(api)));
  await setDatabase(true);

  for (const [index, [name, text]] of requests.entries()) {
    const error = typeof text === 'string' ? text : expect.stringMatching(text);
    expect(failed[index], name).toEqual({ status: 500, body: { error } });
    expect(JSON.stringify(failed[index]?.body), name).not.toMatch(leak);
  }

  for (const [name, , request] of requests) {
    // A connection that is closed but still in the pool may fail one more request.
    await expect.poll(async () => (await request(api)).status, { message: `${name} afterwards` }).toBe(200);
  }
});

test('section 5: without the database a request without a cookie is still 401', async () => {
  await setDatabase(false);
  const answers = await Promise.all(requests.map(([, , request]) => request(apiAs(service.url))));
  await setDatabase(true);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
});
