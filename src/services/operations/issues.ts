import { issues } from '../../contract/fields/issues.ts';
import { timeZoneKey } from '../../contract/known-settings/token-settings.ts';
import { recordedOf } from '../../contract/of-noun.ts';
import { issueHistoryList } from '../../db/changes/history.ts';
import { updateStatus } from '../../db/changes/updates.ts';
import type { Database } from '../../db/connection/database.ts';
import { lockRow } from '../../db/nouns/rows.ts';
import {
  deleteIssueRows,
  insertIssues,
  issueList,
  lockIssuesToDelete,
  selectIssueStatistics,
} from '../../db/tables/issues.ts';
import { knownLabels } from '../../db/tables/labels.ts';
import { deleteLinksOfIssues } from '../../db/tables/links.ts';
import { selectSettings } from '../../db/tables/settings.ts';
import { readIssueTrend } from '../analytics/calendar.ts';
import { assigneeIdOf } from '../call/actor.ts';
import type { RecordChange } from '../call/changes.ts';
import { checkExpected } from '../call/expected.ts';
import { addLink, lockTarget, targetsOf } from '../changes/links.ts';
import { authorOf, rowsOf, subjectOf } from '../changes/record.ts';
import { runBulk, updateMany } from '../changes/update.ts';
import { answerList } from '../streaming/list-answer.ts';
import { StreamedJson } from '../streaming/streamed-json.ts';
import type { HandlersOf } from './handler-types.ts';

export const issueHandlers = {
  'issues.list': async (context, { period, limit, count, assignee, ...filter }) => {
    if (period === undefined || period === '') {
      const assignee_id = assigneeIdOf(assignee, context.actor);
      return answerList(context, 'issues.list', issueList({ ...filter, assignee_id }), { limit, count });
    }
    return new StreamedJson(async (write) => {
      await write(await selectIssueStatistics(context.db, period));
    });
  },

  'issues.create': async ({ change, insertIssue, actor }, given) => {
    const targets = targetsOf(given);
    if (insertIssue !== undefined && targets.length === 0 && given.labels.length === 0) {
      return { success: true, id: await insertIssue(given, recordedOf(issues, given)) };
    }
    const id = await change(async (tx, record) => {
      const issue = { ...given, labels: [...(await knownLabels(tx, given.labels))] };
      for (const target of targets) await lockTarget(tx, target);
      const [issue_id = 0] = await insertIssues(tx, [issue]);
      record({ event: 'issue.created', id: issue_id, after: recordedOf(issues, issue) });
      for (const target of targets) await addLink(tx, record, { issue_id, ...target }, actor);
      return issue_id;
    });
    return { success: true, id };
  },

  'issues.changeStatus': ({ change, actor }, { id, status, expected }) =>
    change(async (tx, record) => {
      if (expected !== undefined) checkExpected('issue', expected, await lockRow(tx, issues, id));
      const before = await updateStatus(tx, 'issues', id, status, authorOf(actor));
      if (before !== null)
        record({ event: 'issue.updated', id, before: { status: before }, after: { status } });
    }),

  'issues.update': (context, update) => updateMany(context, 'issues', update),

  'issues.delete': async (context, { id: ids }) => {
    const deleted = await runBulk(context, { ids }, () =>
      context.change((tx, record) => deleteIssues(tx, record, ids)),
    );
    return { success: true, deleted };
  },

  'issues.history': async (context, { limit, count, ...filter }) =>
    answerList(context, 'issues.history', issueHistoryList(filter), { limit, count }),

  'issues.trend': async ({ db }, { days }) =>
    await readIssueTrend(db, await selectSettings(db, [timeZoneKey]), days),
} satisfies HandlersOf<'issues'>;

/** Deletes issues with everything that belongs to them. Returns how many it deleted. */
async function deleteIssues(tx: Database, record: RecordChange, ids: readonly number[]): Promise<number> {
  const existing = await lockIssuesToDelete(tx, ids);
  const count = existing.length;
  if (count === 0) return 0;
  // Before the triggers do, which lock the links in no order.
  const links = await deleteLinksOfIssues(tx, existing);
  await deleteIssueRows(tx, existing);
  const before = { ...rowsOf(existing, count), links };
  record({ event: 'issues.deleted', id: subjectOf(existing, count), before });
  return count;
}
