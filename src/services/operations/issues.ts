import { BackofficeError } from '../../contract/errors.ts';
import type { OutputOf, ParsedInputOf } from '../../contract/registry.ts';
import { insertIssue, issueList, selectIssueStatistics, updateIssueStatus } from '../../db/tables/issues.ts';
import type { Context } from '../call/context.ts';
import { answerList } from '../streaming/list-answer.ts';
import { StreamedJson } from '../streaming/streamed-json.ts';
import { addLink, holdTarget, targetsOf } from './links.ts';

export async function listIssues(
  context: Context,
  { period, limit, ...filter }: ParsedInputOf<'issues.list'>,
): Promise<StreamedJson> {
  if (period === undefined || period === '')
    return answerList(context, 'issues.list', issueList(filter), limit);
  return new StreamedJson(async (write) => {
    await write(await selectIssueStatistics(context.db, period));
  });
}

export async function createIssue(
  { change, actor }: Context,
  issue: ParsedInputOf<'issues.create'>,
): Promise<OutputOf<'issues.create'>> {
  const { title, category, severity } = issue;
  const targets = targetsOf(issue);
  const result = await change(async (tx, touch) => {
    for (const target of targets) {
      const refusal = await holdTarget(tx, target);
      if (refusal !== undefined) return refusal;
    }
    const id = await insertIssue(tx, issue);
    touch({ event: 'issue.created', id, after: { title, category, severity, status: 'Open' } });
    for (const target of targets) await addLink(tx, touch, { issue_id: id, ...target }, actor);
    return id;
  });
  if (typeof result !== 'number') throw new BackofficeError(result);
  return { success: true, id: result };
}

export async function changeIssueStatus(
  { change }: Context,
  { id, status }: ParsedInputOf<'issues.changeStatus'>,
): Promise<OutputOf<'issues.changeStatus'>> {
  await change(async (tx, touch) => {
    const before = await updateIssueStatus(tx, id, status);
    if (before !== null && before !== status)
      touch({ event: 'issue.updated', id, before: { status: before }, after: { status } });
  });
  return { success: true };
}
