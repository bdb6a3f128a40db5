import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { backofficeHere, startTestService, type TestService } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';

const backoffice = backofficeHere();
/** An instance whose statements wait for locks as briefly as in the product; others wait long in tests. */
let service: TestService;

beforeAll(async () => {
  service = await startTestService(
    { DATABASE_URL: backoffice.service.databaseUrl },
    { lockTimeoutMs: 1_200 },
  );
});

afterAll(() => service?.stop());

beforeEach(() =>
  backoffice.sql(`
    truncate issues, conversations restart identity cascade;
    insert into issues (title) select 'Locked' from generate_series(1, 3)
  `),
);

async function send(method: string, path: string, body?: object, headers?: Record<string, string>) {
  const response = await service.fetch(`/api/admin${path}`, {
    method,
    headers: { cookie: backoffice.superadmin.cookie, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: await response.json(),
  };
}

const locked = {
  status: 503,
  retryAfter: '2',
  body: { error: 'The database is locked by other work, such as a migration.' },
};

/** Locks as a migration does, and sends requests meanwhile. */
async function whileLocked(lock: string, requests: () => Promise<void>): Promise<void> {
  await withClient(service.databaseUrl, async (client) => {
    await client.query(`begin; ${lock}`);
    await requests();
    await client.query('rollback');
  });
}

test('while a migration holds a table, reads and changes of it are 503 with Retry-After, and nothing is written', async () => {
  const visitor = { visitor_email: 'v@example.com', visitor_name: 'V' };
  await whileLocked('lock table issues, conversations, admins', async () => {
    const answers = await Promise.all([
      send('GET', '/issues?limit=1'),
      send('GET', '/issues'),
      send('POST', '/issues', { title: 'Meanwhile' }),
      send('POST', '/issues', { title: 'Meanwhile' }, { 'idempotency-key': 'a' }),
      send('PUT', '/issues', { id: 1, status: 'Closed' }),
      send('PATCH', '/issues', { ids: [1, 2, 3], set: { status: 'Closed' } }),
      send('POST', '/conversations', visitor),
      send('POST', '/comments', { issue_id: 1, content: 'Meanwhile' }, { 'idempotency-key': 'a' }),
      send('GET', '/admins'),
    ]);
    expect(answers).toEqual(answers.map(() => locked));
  });
  expect(
    await backoffice.sql(`select id, status from issues where status <> 'Open' or title = 'Meanwhile'`),
  ).toEqual([]);
  expect(await backoffice.sql('select from conversations')).toEqual([]);
  // The key is free.
  const again = await send('POST', '/issues', { title: 'Later' }, { 'idempotency-key': 'a' });
  expect(again).toMatchObject({ status: 200, body: { success: true } });
});

test('many new issues at once are all 503 meanwhile, and none is created', async () => {
  await whileLocked('lock table issues', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => send('POST', '/issues', { title: `Meanwhile ${n}` })),
    );
    expect(answers).toEqual(answers.map(() => locked));
  });
  expect(await backoffice.sql('select id::int from issues order by id')).toEqual(
    [1, 2, 3].map((id) => ({ id })),
  );
});

test('a row that another change holds is 503 too, and other rows are not', async () => {
  await whileLocked('select from issues where id = 1 for update', async () => {
    const [held, free] = await Promise.all([
      send('PUT', '/issues', { id: 1, status: 'Closed' }),
      send('PUT', '/issues', { id: 2, status: 'Closed' }),
    ]);
    expect(held).toEqual(locked);
    expect(free).toMatchObject({ status: 200 });
  });
});
