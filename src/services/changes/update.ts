import { maxChangedRows, maxRowsOfChange } from '../../contract/fields/bounds.ts';
import { conversations } from '../../contract/fields/conversations.ts';
import type { Noun } from '../../contract/fields/field.ts';
import { issues } from '../../contract/fields/issues.ts';
import type { ParsedInputOf } from '../../contract/registry.ts';
import { unknownAssignee } from '../../contract/schemas/assignees.ts';
import { changeIsOver, notContinuable } from '../../contract/schemas/changes/changes.ts';
import { tooManyLabels } from '../../contract/schemas/labels.ts';
import type { ChangedNoun, RowId } from '../../db/changes/change-tables.ts';
import { lockChange } from '../../db/changes/changes.ts';
import {
  type BulkSet,
  countRowsToChange,
  lockRows,
  lockRowsToChange,
  selectRowsToChange,
} from '../../db/changes/updates.ts';
import type { Database } from '../../db/connection/database.ts';
import { runSearch, runSearchWithin } from '../../db/lists/find-matches.ts';
import { readByMatches } from '../../db/lists/list-query.ts';
import { lockRow } from '../../db/nouns/rows.ts';
import type { RecordedFields } from '../../db/outbox/record-changes.ts';
import { isActiveAdmin, lockAssignee } from '../../db/tables/assignees.ts';
import { issueList } from '../../db/tables/issues.ts';
import { hasTooManyLabels, knownLabels } from '../../db/tables/labels.ts';
import { type Actor, assigneeIdOf } from '../call/actor.ts';
import type { Change, RecordChange } from '../call/changes.ts';
import { checkExpected } from '../call/expected.ts';
import { refuse } from '../call/refuse.ts';
import type { Limited } from '../load/classes.ts';
import { authorOf, changeRows, isAuthor } from './record.ts';

/** A change of rows, which are selected by their ids or, of issues, by a filter. */
type Update = Partial<Pick<ParsedInputOf<'issues.update'>, 'filter' | 'change_id'>> & {
  /** An id that no row can have is a text. */
  readonly ids?: readonly RowId[] | undefined;
  readonly set: BulkSet & { readonly assignee_id?: string | null | undefined };
  /** The fields that the caller saw of the only row. */
  readonly expected?: RecordedFields | undefined;
  readonly dry_run?: boolean | undefined;
};

/** The rows to change, which a preview by a filter only counts, and the row before if it is the only one. */
type Found = Awaited<ReturnType<typeof findById>>;

interface BulkCall {
  readonly db: Database;
  readonly limited: Limited;
  readonly change: Change;
  readonly actor: Actor;
}

/** Changes rows and writes their history, or with `dry_run` says what that would do. */
export async function updateMany(call: BulkCall, noun: ChangedNoun, update: Update) {
  const { db, change, actor } = call;
  return await runBulk(call, update, () =>
    update.dry_run
      ? preview(db, noun, update, actor)
      : change((tx, record) => changeAll(tx, record, noun, update, actor)),
  );
}

async function preview(db: Database, noun: ChangedNoun, update: Update, actor: Actor) {
  await checkContinuable(db, update, actor);
  await requireAssignee(update.set.assignee_id, (id) => isActiveAdmin(db, id));
  const found = await findRows(db, noun, update, actor, 'only count');
  await requireFewLabels(db, noun, found, update.set);
  return answer(found, null);
}

async function changeAll(
  tx: Database,
  record: RecordChange,
  noun: ChangedNoun,
  update: Update,
  actor: Actor,
) {
  const { change_id } = update;
  await checkContinuable(tx, update, actor);
  await requireAssignee(update.set.assignee_id, (id) => lockAssignee(tx, id));
  const { add_labels } = update.set;
  // As they were first written.
  const set = { ...update.set, ...(add_labels && { add_labels: await knownLabels(tx, add_labels) }) };
  const found = await findRows(tx, noun, { ...update, set }, actor, 'lock');
  const { ids, before } = found;
  if (ids.length === 0) return answer(found, null);
  await requireFewLabels(tx, noun, found, set);
  const change = change_id ?? { noun, author: authorOf(actor), request: requestOf(update) };
  return answer(found, await changeRows(tx, record, noun, change, { ids, set, before }));
}

function answer({ changed, unchanged, unknown, remaining }: Found, change_id: number | null) {
  const matched = changed + unchanged + remaining;
  return { success: true, matched, changed, unchanged, unknown: [...unknown], remaining, change_id } as const;
}

async function requireFewLabels(
  db: Database,
  noun: ChangedNoun,
  { ids }: Found,
  { add_labels = [], remove_labels }: Update['set'],
): Promise<void> {
  if (add_labels.length === 0) return;
  if (await hasTooManyLabels(db, noun, ids, add_labels, remove_labels)) refuse(tooManyLabels);
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

type Mode = 'lock' | 'only count';

async function findRows(db: Database, noun: ChangedNoun, update: Update, actor: Actor, mode: Mode) {
  return update.filter === undefined
    ? await findById(db, noun, update, mode)
    : await findIssues(db, update.filter, update, actor, mode);
}

async function findIssues(
  db: Database,
  { assignee, ...others }: NonNullable<Update['filter']>,
  { set, change_id }: Update,
  actor: Actor,
  mode: Mode,
): Promise<Found> {
  const list = issueList({ ...others, assignee_id: assigneeIdOf(assignee, actor) });
  const { search } = list;
  // A change may be of most issues.
  const conditions = readByMatches(list);
  const find = async (tx: Database) => {
    const locked =
      mode === 'lock'
        ? await lockRowsToChange(tx, 'issues', conditions, set, change_id, maxChangedRows)
        : undefined;
    // After the locks, so that what is counted is what is changed.
    const { matched, differing } = await countRowsToChange(tx, 'issues', conditions, set, change_id);
    const changed = locked?.length ?? Math.min(differing, maxChangedRows);
    const remaining = Math.max(differing - changed, 0);
    const unchanged = matched - changed - remaining;
    return { ids: locked ?? [], changed, unchanged, unknown: [], remaining, before: undefined };
  };
  if (search === undefined) return await find(db);
  return await (mode === 'lock' ? runSearchWithin : runSearch)(db, search, find);
}

async function findById(db: Database, noun: ChangedNoun, { ids = [], set, expected }: Update, mode: Mode) {
  const given = new Set(ids);
  const possible = [...given].filter((id) => noun === 'conversations' || typeof id === 'number');
  const about: Noun = noun === 'issues' ? issues : conversations;
  const before: RecordedFields | null =
    given.size === 1 ? await lockRow(db, about, (possible[0] ?? null) as never) : null;
  checkExpected(about.one, expected, before);
  if (mode === 'lock' && before === null) await lockRows(db, noun, possible);
  const rows = await selectRowsToChange(db, noun, possible, set);
  const existing = new Set(rows.map(({ id }) => id));
  const differing: readonly RowId[] = rows.filter(({ differs }) => differs).map(({ id }) => id);
  return {
    ids: differing,
    changed: differing.length,
    unchanged: rows.length - differing.length,
    unknown: [...given].filter((id) => !existing.has(id)),
    remaining: 0,
    before: before ?? undefined,
  };
}

/** Refuses to assign rows to an admin who does not exist or is not active. */
async function requireAssignee(
  assigneeId: string | null | undefined,
  isActive: (id: string) => Promise<boolean>,
): Promise<void> {
  if (typeof assigneeId === 'string' && !(await isActive(assigneeId))) refuse(unknownAssignee);
}

/** Changes of fewer rows are as quick as those of one. */
const maxRowsAtOnce = 100;

/** Runs a change of many rows when it is its turn, and with something to search for also among the searches. */
export async function runBulk<T>(
  { limited }: { readonly limited: Limited },
  { ids, filter }: Pick<Update, 'ids' | 'filter'>,
  work: () => Promise<T>,
): Promise<T> {
  if (ids !== undefined && ids.length <= maxRowsAtOnce) return await work();
  return await limited('bulk', () => (filter?.q === undefined ? work() : limited('searches', work)));
}
