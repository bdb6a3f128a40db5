import { expect, test } from 'vitest';
import { atOnce, success } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

test('batches of the same settings in opposite orders do not deadlock, and each is written as a whole', async () => {
  const { api, superadmin } = backoffice;
  // Long enough that two batches overlap, each holding the keys that the other needs next.
  const keys = Array.from({ length: 1_000 }, (_, index) => `key ${index}`);
  const answers = await atOnce(20, (index) => {
    const order = index % 2 ? keys : keys.toReversed();
    return api.put('/settings', { updates: Object.fromEntries(order.map((key) => [key, `batch ${index}`])) });
  });
  expect(answers).toEqual(Array(20).fill(success));
  const { settings } = await superadmin.client.call('settings.show', { section: 'none' });
  expect(Object.keys(settings)).toHaveLength(keys.length);
  expect(new Set(Object.values(settings)).size).toBe(1);
});

test('a hundred issues created at once have different ids, and the aggregate counts them all', async () => {
  const { api, superadmin } = backoffice;
  const answers = await atOnce(100, (index) =>
    api.post('/issues', { title: `${index}`, severity: `s${index % 3}` }),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => (body as { id: number }).id)).size).toBe(100);
  expect(await superadmin.client.call('issues.list', { period: 'hourly' })).toMatchObject({
    severityTotals: expect.arrayContaining([
      { severity: 's0', count: 34 },
      { severity: 's1', count: 33 },
      { severity: 's2', count: 33 },
    ]),
    totalIssues: 100,
  });
});

test('a hundred status changes of ten issues at once leave the right counts', async () => {
  const { api, superadmin } = backoffice;
  await backoffice.sql('truncate issues restart identity');
  await backoffice.sql("insert into issues (title) select 'Busy' from generate_series(1, 10)");
  const statuses = ['Open', 'In Progress', 'Resolved', 'Closed'];
  const answers = await atOnce(100, (index) =>
    api.put('/issues', { id: (index % 10) + 1, status: statuses[index % 4] }),
  );
  expect(answers).toEqual(Array(100).fill(success));
  const counted = await backoffice.sql('select status, count(*)::int from issues group by status');
  const aggregate = await superadmin.client.call('issues.list', { period: 'daily' });
  if (!('statusCounts' in aggregate)) throw new Error('There is no aggregate.');
  expect(new Set(aggregate.statusCounts)).toEqual(new Set(counted));
  expect(aggregate.totalIssues).toBe(10);
});

test('fifty conversations created at once each have their message', async () => {
  const { api, superadmin } = backoffice;
  await atOnce(50, (index) =>
    api.post('/conversations', { visitor_email: 'v', visitor_name: 'V', initial_message: `m${index}` }),
  );
  const { conversations } = await superadmin.client.call('conversations.list');
  expect(new Set(conversations.map(({ last_message }) => last_message)).size).toBe(50);
  expect(conversations.every(({ unread_count }) => unread_count === 1)).toBe(true);
});
