import type { InfiniteData } from '@tanstack/react-query';
import type { Event, EventOrGap } from '../../../src/contract/events/envelope.ts';
import { queryClient, reloadSoon } from '../app/data/query-client.ts';
import { findAssignee } from '../assignees/assignee-queries.ts';
import {
  type IssuePage,
  issuePatches,
  issueQuery,
  type ListedIssue,
  missedQuery,
  nothingMissed,
} from './issue-queries.ts';

/** What a change sets, as its event and its call say. */
export type IssueChange = NonNullable<(Event & { readonly type: 'issues.updated' })['data']['set']>;

/** Up to so many issues, each is loaded again; of more, the whole list. */
const maxReloaded = 20;
const listKey = ['issues', 'list'];
/** What changes with any issue. */
const counts = ['total', 'statistics', 'trend'];
/** The changes that were made here, whose events say nothing new. */
const ownChanges = new Set<number>();

/** Loads the counts again, at most once a second, however many events there are. */
function reloadCounts(): void {
  for (const part of counts) reloadSoon(['issues', part]);
}

/** Loads the lists again from their start, with what is new. They stay on the screen until then. */
export function reloadIssues(): void {
  queryClient.setQueryData(missedQuery.queryKey, nothingMissed);
  issuePatches.clear();
  queryClient.setQueriesData<InfiniteData<IssuePage>>(
    { queryKey: listKey },
    (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
  );
  for (const part of ['list', 'one', ...counts])
    void queryClient.invalidateQueries({ queryKey: ['issues', part] });
}

/** Reports whether a change may take issues out of the list that is shown, or put others into it. */
export function isFilteredBy(set: IssueChange): boolean {
  const names = Object.keys(set).map((name) => (name === 'assignee_id' ? 'assignee' : name));
  return queryClient
    .getQueryCache()
    .findAll({ queryKey: listKey, type: 'active' })
    .some(({ queryKey: [, , filter] }) =>
      names.some((name) => (filter as Readonly<Record<string, unknown>>)[name] !== undefined),
    );
}

/** Loads some issues again. Their rows stay where they are. */
export async function refreshIssues(ids: readonly number[]): Promise<void> {
  if (ids.length > maxReloaded) {
    reloadIssues();
    return;
  }
  reloadCounts();
  void reloadOpened(new Set(ids), true);
  const rows = await Promise.all(
    ids.map(async (id) => [id, await queryClient.fetchQuery({ ...issueQuery(id), staleTime: 0 })] as const),
  );
  issuePatches.add(rows.map(([id, row]) => [id, row ?? { isDeleted: true }]));
}

/** Notices a change that was made here: its issues show it at once, and its event says nothing new. */
export async function noticeOwnChange(
  ids: readonly number[],
  set: IssueChange,
  changeIds: readonly number[],
): Promise<void> {
  for (const id of changeIds) ownChanges.add(id);
  queryClient.setQueryData(missedQuery.queryKey, (missed = nothingMissed) => ({
    ...missed,
    changes: missed.changes.filter((id) => !ownChanges.has(id)),
  }));
  reloadCounts();
  await layChange(ids, set, new Date().toISOString());
  void reloadOpened(new Set(ids), true);
}

/** Notices that issues were deleted. */
export function noticeDeletion(ids: readonly number[]): void {
  issuePatches.add(listed(ids).map((id) => [id, { isDeleted: true }]));
  reloadCounts();
  void reloadOpened(new Set(ids), true);
}

/** Brings what is shown of issues up to date. */
export function receiveIssueEvent(event: EventOrGap): void {
  switch (event.type) {
    case 'issue.created':
      // A list that was loaded before the event arrived may have it.
      if (!loadedRows().some(({ id }) => id === Number(event.subject_id)))
        queryClient.setQueryData(missedQuery.queryKey, (missed = nothingMissed) => ({
          ...missed,
          added: missed.added + 1,
        }));
      break;
    case 'issue.updated':
      void layChange([Number(event.subject_id)], event.data, event.created_at);
      void reloadOpened(new Set([Number(event.subject_id)]), true);
      break;
    case 'issues.updated':
      void receiveChange(event.data, event.created_at);
      break;
    case 'issues.deleted':
      noticeDeletion(event.data.ids);
      break;
    case 'link.created':
    case 'link.deleted':
      void queryClient.invalidateQueries({ queryKey: ['issues', 'one', event.data.issue_id, 'links'] });
      return;
    default:
      return;
  }
  reloadCounts();
}

async function receiveChange(
  { change_id, ids, count, set }: (Event & { readonly type: 'issues.updated' })['data'],
  at: string,
): Promise<void> {
  const isWhole = count <= ids.length;
  void reloadOpened(new Set(ids), isWhole);
  if (ownChanges.has(change_id)) return;
  if (set !== undefined) await layChange(ids, set, at);
  else if (count <= maxReloaded) await refreshIssues(ids);
  if (isWhole && (set !== undefined || count <= maxReloaded)) return;
  queryClient.setQueryData(missedQuery.queryKey, (missed = nothingMissed) => ({
    ...missed,
    changes: [...new Set([...missed.changes, change_id])],
  }));
}

/** Lays what a change sets over the rows. Long texts are cut in events, and only the drawer shows them. */
async function layChange(ids: readonly number[], set: IssueChange, at: string): Promise<void> {
  const { status, severity, category, title, assignee_id } = set;
  const patch: Partial<ListedIssue> = {
    updated_at: at,
    ...(status && { status }),
    ...(severity && { severity }),
    ...(category && { category }),
    ...(title && { title }),
    ...(assignee_id !== undefined && { assignee: await findAssignee(assignee_id).catch(() => null) }),
  };
  const shown = listed(ids);
  if (shown.length > 0) issuePatches.add(shown.map((id) => [id, patch]));
}

/**
 * Returns those issues that a loaded list has, because what is known of others would only take memory. While a page of a
 * list is on its way, any issue may be in it.
 */
function listed(ids: readonly number[]): readonly number[] {
  if (queryClient.isFetching({ queryKey: listKey }) > 0) return ids;
  const wanted = new Set(ids);
  return loadedRows()
    .filter(({ id }) => wanted.has(id))
    .map(({ id }) => id);
}

/** Returns the rows of all lists that are loaded. */
function loadedRows(): readonly ListedIssue[] {
  const lists = queryClient.getQueriesData<InfiniteData<IssuePage>>({ queryKey: listKey });
  return lists.flatMap(([, list]) => list?.pages ?? []).flatMap(({ issues }) => issues);
}

/**
 * Loads issues again that a drawer shows, with their history and links.
 *
 * @param isAll - whether the ids are all that changed; otherwise any issue may have
 */
async function reloadOpened(ids: ReadonlySet<unknown>, isAll: boolean): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [noun, part, id] }) =>
      noun === 'issues' && part === 'one' && (!isAll || ids.has(id)),
  });
}
