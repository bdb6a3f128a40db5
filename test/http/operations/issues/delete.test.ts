import { expect, test } from 'vitest';
import { checkIssueCounters } from '../../../../src/db/analytics/issue-counters.ts';
import { auditRecordsOf, createIssues } from '../../../support/here/rows.ts';
import { backofficeHere } from '../../../support/here.ts';

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
  expect(await auditRecordsOf(backoffice, 'issues.delete')).toEqual([
    {
      event: 'issues.deleted',
      subject_id: null,
      before: { ids: [first, second], count: 2, links: 1 },
      after: null,
    },
  ]);
  expect(await checkIssueCounters(backoffice.service.services.databases.primary)).toEqual([]);
});

test('a deletion by SQL leaves no history behind, and an issue with the same number shows none', async () => {
  const { api, sql, superadmin } = backoffice;
  const [id = 0, other = 0] = await createIssues(backoffice, 2);
  await api.put('/issues', { id, status: 'Closed' });
  await sql('delete from issues where id = $1', [id]);
  await sql(`insert into issues (id, title) overriding system value values ($1, 'Imported')`, [id]);
  expect(await superadmin.client.call('issues.history', { id })).toEqual({ history: [] });
  await api.put('/issues', { id: other, status: 'Closed' });
  await sql('truncate issues');
  expect(await sql('select from issue_history')).toEqual([]);
});

test('an unknown id succeeds, and records nothing', async () => {
  const before = await auditRecordsOf(backoffice, 'issues.delete');
  for (const id of ['999999999', 'none', '1.5']) {
    expect(await backoffice.api.delete(`/issues?id=${id}`)).toEqual(deleted(0));
  }
  expect(await auditRecordsOf(backoffice, 'issues.delete')).toEqual(before);
});
