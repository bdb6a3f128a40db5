import { issues } from '../../contract/fields/issues.ts';
import type { ParsedInputOf } from '../../contract/registry.ts';
import { maxChangedRows, maxRowsOfChange } from '../../contract/schemas/changes/changes.ts';
import {
  changeIsOver,
  type IssueValues,
  notContinuable,
} from '../../contract/schemas/changes/issue-changes.ts';
import { addToChange, insertChange, lockChange } from '../../db/changes/changes.ts';
import {
  countIssuesToChange,
  lockIssuesToChange,
  selectIssuesToChange,
  updateIssueRows,
} from '../../db/changes/issue-updates.ts';
import type { Database } from '../../db/connection/database.ts';
import { runSearch, runSearchWithin } from '../../db/lists/find-matches.ts';
import { lockRow } from '../../db/nouns/rows.ts';
import type { RecordedFields } from '../../db/outbox/record-changes.ts';
import { isActiveAdmin, lockAssignee } from '../../db/tables/assignees.ts';
import { issueSearch } from '../../db/tables/issues.ts';
import type { Actor } from '../call/actor.ts';
import { assigneeIdOf } from '../call/assignee.ts';
import type { RecordChange } from '../call/changes.ts';
import { checkExpected } from '../call/expected.ts';
import { refuse } from '../call/refuse.ts';
import { requireAssignee } from './assignee.ts';
import { authorOf, isAuthor, rowsOf, subjectOf } from './record.ts';

type Update = ParsedInputOf<'issues.update'>;

/** What a change finds. */
interface Found {
  /** The issues to change. A preview by a filter only counts them. */
  readonly ids: readonly number[];
  readonly changed: number;
  readonly unchanged: number;
  readonly unknown: readonly (number | string)[];
  readonly remaining: number;
  /** The issue before, if it is the only one that the caller named. */
  readonly before?: RecordedFields | undefined;
}

/** Says what a change would do. Changes nothing. */
export async function previewIssueUpdate(db: Database, update: Update, actor: Actor) {
  await checkContinuable(db, update, actor);
  await requireAssignee(update.set.assignee_id, (id) => isActiveAdmin(db, id));
  return answer(await findIssues(db, update, actor, 'only count'), null);
}

/** Changes issues and writes their history. */
export async function updateIssues(tx: Database, record: RecordChange, update: Update, actor: Actor) {
  const { set, change_id } = update;
  await checkContinuable(tx, update, actor);
  await requireAssignee(set.assignee_id, (id) => lockAssignee(tx, id));
  const found = await findIssues(tx, update, actor, 'lock');
  const { ids, before } = found;
  if (ids.length === 0) return answer(found, null);
  const author = authorOf(actor);
  const changeId =
    change_id ?? (await insertChange(tx, { noun: 'issues', author, request: requestOf(update) }));
  await updateIssueRows(tx, changeId, ids, set);
  await addToChange(tx, changeId, ids.length);
  record({
    event: 'issues.updated',
    id: subjectOf(ids, ids.length),
    before: before && pick(before, set),
    after: { change_id: changeId, ...rowsOf(ids, ids.length), set },
  });
  return answer(found, changeId);
}

function answer({ changed, unchanged, unknown, remaining }: Found, change_id: number | null) {
  const matched = changed + unchanged + remaining;
  return { success: true, matched, changed, unchanged, unknown, remaining, change_id } as const;
}

/** Returns what a call must repeat to go on with a change by a filter. */
function requestOf({ filter, set }: Update): string | undefined {
  return filter === undefined ? undefined : JSON.stringify({ filter, set });
}

/** Refuses to go on with a change unless the caller made it, recently, with the same filter and values. */
async function checkContinuable(db: Database, update: Update, actor: Actor): Promise<void> {
  if (update.change_id === undefined) return;
  const change = await lockChange(db, update.change_id, requestOf(update));
  if (change === null || !isAuthor(change, actor) || !change.is_same_request) refuse(notContinuable);
  const isFull = change.count + maxChangedRows > maxRowsOfChange;
  if (!change.is_recent || change.is_undone || isFull) refuse(changeIsOver);
}

async function findIssues(
  db: Database,
  update: Update,
  actor: Actor,
  mode: 'lock' | 'only count',
): Promise<Found> {
  const { ids, filter: { assignee, ...others } = {}, set, change_id } = update;
  if (ids !== undefined) return await findIssuesById(db, new Set(ids), update, mode);
  const filter = { ...others, assignee_id: assigneeIdOf(assignee, actor) };
  const search = issueSearch(filter);
  const find = async (tx: Database) => {
    const locked =
      mode === 'lock' ? await lockIssuesToChange(tx, filter, set, change_id, maxChangedRows) : undefined;
    // After the locks, so that what is counted is what is changed.
    const { matched, differing } = await countIssuesToChange(tx, filter, set, change_id);
    const changed = locked?.length ?? Math.min(differing, maxChangedRows);
    const remaining = Math.max(differing - changed, 0);
    return { ids: locked ?? [], changed, unchanged: matched - changed - remaining, unknown: [], remaining };
  };
  if (search === undefined) return await find(db);
  return await (mode === 'lock' ? runSearchWithin : runSearch)(db, search, find);
}

async function findIssuesById(
  db: Database,
  ids: ReadonlySet<number | string>,
  { set, expected }: Update,
  mode: 'lock' | 'only count',
): Promise<Found> {
  const possible = [...ids].filter((id) => typeof id === 'number');
  const before = ids.size === 1 ? await lockRow(db, issues, possible[0] ?? null) : null;
  checkExpected('issue', expected, before);
  const rows = await selectIssuesToChange(db, possible, set, mode === 'lock');
  const existing = new Set<number | string>(rows.map(({ id }) => id));
  const differing = rows.filter(({ differs }) => differs).map(({ id }) => id);
  return {
    ids: differing,
    changed: differing.length,
    unchanged: rows.length - differing.length,
    unknown: [...ids].filter((id) => !existing.has(id)),
    remaining: 0,
    before: before ?? undefined,
  };
}

/** Returns those fields of a row that are set. */
function pick(row: RecordedFields, set: IssueValues): RecordedFields {
  return Object.fromEntries(Object.keys(set).map((name) => [name, row[name]]));
}
