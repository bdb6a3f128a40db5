import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';

const backoffice = backofficeOfThisFile();

/** Larger than all buffers, so that the service is still writing when the reader leaves. */
const rows = 50_000;

beforeAll(async () => {
  await backoffice.sql(
    "insert into issues (title, description) select 'Listed', repeat('x', 500) from generate_series(1, $1)",
    [rows],
  );
});

/** Requests the list, reads its first piece and disconnects. */
async function readAndLeave(): Promise<void> {
  const { service, superadmin } = backoffice;
  const request = get(`${service.url}/api/admin/issues`, {
    agent: false,
    headers: { cookie: superadmin.cookie },
  });
  const [response] = await once(request, 'response');
  expect(response.statusCode).toBe(200);
  await once(response, 'data');
  request.destroy();
}

/** Counts the service's connections that are not idle. */
async function busyConnections(): Promise<number> {
  const [row] = await backoffice.sql<{ count: number }>(`
    select count(*)::int from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'
      and pid <> pg_backend_pid() and state <> 'idle'
  `);
  return row?.count ?? -1;
}

test('readers that leave in the middle of a large list leak no connection', async () => {
  // Twice as many as the pool has connections: if each leaked one, the second half would get none. Two at a time,
  // because one admin has two slots.
  for (let round = 0; round < 10; round++) {
    await Promise.all([readAndLeave(), readAndLeave()]);
  }
  await expect.poll(busyConnections).toBe(0);
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => backoffice.api.get('/issues?period=daily')),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
  expect(answers[0]?.body).toMatchObject({ totalIssues: rows });
});

test('readers that leave before the response starts leak no connection', async () => {
  const { service, superadmin } = backoffice;
  for (let round = 0; round < 20; round++) {
    const leaving = new AbortController();
    const init = { headers: { cookie: superadmin.cookie }, signal: leaving.signal };
    const response = service.fetch('/api/admin/issues', init);
    setImmediate(() => leaving.abort());
    await expect(response).rejects.toThrow(/abort/i);
  }
  await expect.poll(busyConnections).toBe(0);
  expect((await backoffice.api.get('/issues?period=daily')).status).toBe(200);
});

test('a reader that stays gets every row of the large list', async () => {
  const { client } = backoffice.superadmin;
  const list = await client.call('issues.list');
  expect('issues' in list && list.issues.length).toBe(rows);
});

test('slow readers leave connections for everybody else', async () => {
  const { service, api } = backoffice;
  const readers = await Promise.all(Array.from({ length: 5 }, () => service.signIn('admin')));
  const requests = [...readers, ...readers, ...readers].map(({ cookie }) =>
    get(`${service.url}/api/admin/issues`, { agent: false, headers: { cookie } }),
  );
  // Five get a slot, and stop reading. The others wait.
  const reading = await Promise.all(
    (await firstOf(requests, 5)).map(async (response) => {
      await once(response, 'data');
      response.pause();
      return response;
    }),
  );
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => api.get('/issues?period=daily')),
    api.post('/issues', { title: 'Meanwhile' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(Array(11).fill(200));
  for (const request of requests) request.destroy();
  expect(reading).toHaveLength(5);
  await expect.poll(busyConnections).toBe(0);
});

/** Returns the given number of first responses. The other requests may be cut off. */
async function firstOf(requests: readonly ClientRequest[], number: number): Promise<IncomingMessage[]> {
  const responses: IncomingMessage[] = [];
  await new Promise<void>((resolve) => {
    for (const request of requests) {
      request.on('error', () => {});
      request.once('response', (response) => {
        responses.push(response);
        if (responses.length === number) resolve();
      });
    }
  });
  return responses.slice(0, number);
}
