import type { OutputOf, ParsedInputOf } from '../contract/index.ts';
import { insertIssue, issueList, selectIssueStatistics, updateIssueStatus } from '../db/issues.ts';
import type { Context } from './context.ts';
import { answerList } from './lists.ts';
import { StreamedJson } from './streamed-json.ts';

export async function listIssues(
  { db }: Context,
  { period, limit, ...filter }: ParsedInputOf<'issues.list'>,
): Promise<StreamedJson> {
  if (period === undefined || period === '') return answerList(db, 'issues', issueList(filter), limit);
  return new StreamedJson(async (write) => {
    await write(await selectIssueStatistics(db, period));
  });
}

export async function createIssue(
  { db }: Context,
  issue: ParsedInputOf<'issues.create'>,
): Promise<OutputOf<'issues.create'>> {
  return { success: true, id: await insertIssue(db, issue) };
}

export async function changeIssueStatus(
  { db }: Context,
  { id, status }: ParsedInputOf<'issues.changeStatus'>,
): Promise<OutputOf<'issues.changeStatus'>> {
  await updateIssueStatus(db, id, status);
  return { success: true };
}
