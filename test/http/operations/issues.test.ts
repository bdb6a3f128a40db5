import { expect, test } from 'vitest';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { checkIssueCounters } from '../../../src/db/analytics/issue-counters.ts';
import { apiOfToken } from '../../support/here/accounts.ts';
import { auditRecordsOf, createIssues, historyOf } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const deleted = (count: number) => ({ status: 200, body: { success: true, deleted: count } });

test('deletes issues with their links and their history, and is one event', async () => {
  const { api, sql } = backoffice;
  const [first = 0, second = 0, third = 0] = await createIssues(backoffice, 3);
  await api.patch('/issues', { ids: [first, second, third], set: { status: 'Closed' } });
  await sql(`insert into conversations (id, visitor_email, visitor_name) values ('conv_1', 'v', 'V')`);
  for (const issue_id of [first, third]) await api.post('/links', { issue_id, conversation_id: 'conv_1' });

  expect(await api.delete(`/issues?id=${second},${first}, ${first},999999999,none`)).toEqual(deleted(2));
  const left = await sql(
    `select (select array_agg(id::integer) from issues) as issues,
      (select array_agg(distinct issue_id::integer) from issue_history) as history,
      (select array_agg(issue_id::integer) from issue_links) as links`,
  );
  expect(left).toEqual([{ issues: [third], history: [third], links: [third] }]);
  const before = { ids: [first, second], count: 2, links: 1 };
  expect(await auditRecordsOf(backoffice, 'issues.delete')).toEqual([
    { event: 'issues.deleted', subject_id: null, before, after: null },
  ]);
  expect(await checkIssueCounters(backoffice.service.services.databases.primary)).toEqual([]);
});

test('a deletion by SQL leaves no history behind', async () => {
  const { api, sql } = backoffice;
  const [id = 0, other = 0] = await createIssues(backoffice, 2);
  for (const each of [id, other]) await api.put('/issues', { id: each, status: 'Closed' });
  await sql('delete from issues where id = $1', [id]);
  expect(await sql('select from issue_history where issue_id = $1', [id])).toEqual([]);
  await sql('truncate issues');
  expect(await sql('select from issue_history')).toEqual([]);
});

test('the history is newest first, with who changed what and through which interface', async () => {
  const { api, superadmin } = backoffice;
  const [id = 0] = await createIssues(backoffice, 1);
  await api.put('/issues', { id, status: 'In Progress' });
  await api.put('/issues', { id, status: 'In Progress' });
  const asToken = await apiOfToken(backoffice, 'user');
  await asToken.patch('/issues', { ids: [id], set: { status: 'Closed', category: 'Mail' } });
  const history = await historyOf(backoffice, id);
  const byToken = { actor: 'token:tests', door: 'http' };
  const bySuperadmin = { actor: superadmin.email, door: 'http' };
  expect(history).toMatchObject([
    byToken,
    byToken,
    { ...bySuperadmin, field: 'status', before: 'Open', after: 'In Progress' },
  ]);
  expect(await api.get('/issues/history?id=none')).toEqual({ status: 200, body: { history: [] } });
});

const trend = async (query = '') =>
  (await backoffice.api.get(`/issues/trend${query}`)).body as OutputOf<'issues.trend'>;

test('counts a new issue on the last day, in the time zone of the setting', async () => {
  await backoffice.sql('truncate issues');
  await backoffice.api.put('/settings', { key: 'timezone', value: 'Pacific/Kiritimati' });
  await backoffice.api.post('/issues', { title: 'T', severity: 'High' });
  const [row] = await backoffice.sql<{ date: string }>(
    "select to_char(created_at at time zone 'Pacific/Kiritimati', 'YYYY-MM-DD') as date from issues",
  );
  const { timezone, days } = await trend();
  expect(timezone).toBe('Pacific/Kiritimati');
  expect(days.filter(({ count }) => count > 0)).toEqual([
    {
      date: row?.date,
      // Midnight there.
      startsAt: new Date(`${row?.date}T00:00:00+14:00`).toISOString(),
      endsAt: new Date(`${row?.date}T24:00:00+14:00`).toISOString(),
      count: 1,
      bySeverity: [{ severity: 'High', count: 1 }],
    },
  ]);
});

test.for([
  ['?days=7', 7],
  ['?days=-5', 1],
  ['?days=367', 366],
  ['?days=many', 30],
] as const)('/issues/trend%s has %i consecutive days', async ([query, length]) => {
  const { days } = await trend(query);
  const last = Date.parse(days.at(-1)?.date ?? '');
  const dayBefore = (count: number) => new Date(last - count * 86_400_000).toISOString().slice(0, 10);
  expect(days.map(({ date }) => date)).toEqual(
    Array.from({ length }, (_, index) => dayBefore(length - 1 - index)),
  );
});
