import type { OutputOf } from '../../../../src/contract/registry.ts';
import { issueStatuses } from '../../../../src/contract/vocabulary.ts';
import { client } from '../../app/data/client.ts';
import type { IssuePage } from '../issue-queries.ts';
import type { IssueFilter } from '../issue-search.ts';
import type { IssueChange } from '../issue-updates.ts';

/** The issues that a change is for: their ids, or all that a filter finds. */
export type IssueTarget = { readonly ids: readonly number[] } | { readonly filter: IssueFilter };

/** How far a change has come. It ends before its next call if the signal aborts. */
interface BulkRun {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
}

interface BulkResult {
  readonly changed: number;
  /** What undoes it, the first change first. */
  readonly changeIds: readonly number[];
  /** Why it ended early, if some issues were changed already. */
  readonly error?: Error | undefined;
}

type Answer = OutputOf<'issues.update'>;

/* The limits of the API: for one call, for one change of several calls, for one deletion, and for a page of a list. */
const maxChanged = 10_000;
const maxOfChange = 50_000;
const maxDeleted = 1_000;
const maxListed = 1_000;

/** Changes issues, however many: one call changes up to 10,000. */
export async function changeIssues(target: IssueTarget, set: IssueChange, run: BulkRun): Promise<BulkResult> {
  const changeIds = new Set<number>();
  let changed = 0;
  try {
    for await (const answer of callsOf(target, set, run)) {
      changed += answer.changed;
      if (answer.change_id !== null) changeIds.add(answer.change_id);
      run.onProgress?.(changed);
      if (run.signal?.aborted) break;
    }
  } catch (error) {
    if (changed === 0 && !run.signal?.aborted) throw error;
    return { changed, changeIds: [...changeIds], ...(run.signal?.aborted ? {} : { error: error as Error }) };
  }
  return { changed, changeIds: [...changeIds] };
}

async function* callsOf(target: IssueTarget, set: IssueChange, run: BulkRun): AsyncGenerator<Answer> {
  if ('filter' in target && target.filter.assignee === undefined) {
    yield* callsByFilter(conditionsOf(target.filter), set);
    return;
  }
  for (const ids of partsOf(await idsOf(target, run), maxChanged))
    yield await client.call('issues.update', { ids, set });
}

/** Goes on with the same change, which is then undone as one, as long as the API lets it grow. */
async function* callsByFilter(filter: Conditions, set: IssueChange): AsyncGenerator<Answer> {
  let changeId: number | null = null;
  let ofThisChange = 0;
  let answer: Answer;
  do {
    answer = await client.call('issues.update', {
      filter,
      set,
      ...(changeId === null ? {} : { change_id: changeId }),
    });
    yield answer;
    ofThisChange += answer.changed;
    const mayGrow: boolean = ofThisChange + maxChanged <= maxOfChange;
    if (!mayGrow) ofThisChange = 0;
    changeId = mayGrow ? answer.change_id : null;
  } while (answer.remaining > 0 && answer.changed > 0);
}

/** Deletes issues, however many. Returns how many were deleted. */
export async function deleteIssues(target: IssueTarget, run: BulkRun): Promise<number> {
  let deleted = 0;
  for (const part of partsOf(await idsOf(target, run), maxDeleted)) {
    if (run.signal?.aborted) break;
    deleted += (await client.call('issues.delete', { id: part.join(',') })).deleted;
    run.onProgress?.(deleted);
  }
  return deleted;
}

/** Puts back what changes set, the last change first, wherever nobody has changed it since. */
export async function undoChanges(changeIds: readonly number[]): Promise<{ restored: number; left: number }> {
  const sums = { restored: 0, left: 0 };
  for (const change_id of changeIds.toReversed()) {
    const { restored, left } = await client.call('changes.undo', { change_id });
    sums.restored += restored;
    sums.left += left;
  }
  return sums;
}

/** Returns the ids of issues. The API changes by ids where it knows no filter: of assignees, and to delete. */
async function idsOf(target: IssueTarget, { signal }: BulkRun): Promise<readonly number[]> {
  if ('ids' in target) return target.ids;
  const ids: number[] = [];
  let cursor: string | undefined;
  do {
    const input = { ...target.filter, limit: maxListed, cursor };
    const page = (await client.call('issues.list', input, signal)) as IssuePage;
    ids.push(...page.issues.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

type Conditions = Omit<IssueFilter, 'sort' | 'assignee'>;

/** Returns the conditions of a filter. The API wants at least one, and every issue has one of the statuses. */
function conditionsOf({ sort: _sort, assignee: _assignee, ...conditions }: IssueFilter): Conditions {
  const given = Object.values(conditions).some((value) => value !== undefined);
  return given ? conditions : { status: issueStatuses.join(',') };
}

function partsOf<T>(all: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < all.length; from += size) parts.push(all.slice(from, from + size));
  return parts;
}
