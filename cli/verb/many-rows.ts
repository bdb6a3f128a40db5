import { partsOf } from '../../src/contract/client/many-rows.ts';
import { maxChangedRows, maxRowsOfChange } from '../../src/contract/fields/bounds.ts';
import type { Noun } from '../../src/contract/fields/field.ts';
import type { ListId } from '../../src/contract/registry.ts';
import type { Access } from '../access/access.ts';
import { pagesOf, type Rows } from '../access/pages.ts';
import { UsageError } from '../errors.ts';
import { type IdForm, readIds } from '../input/arguments.ts';
import { type FilterValues, requireValues } from '../input/filter.ts';
import { confirm } from '../input/prompts.ts';
import { remark } from '../terminal/terminal.ts';
import { counted, grouped, printable } from '../terminal/text.ts';
import { addUp, type Bulk, type BulkAnswer, nothing, requireKnown } from './batches.ts';
import { remarkWordsInUse } from './filter.ts';
import { resolveAssignee } from './people.ts';

/** Rows of which a verb changes many: those with ids that people name, or all that match a filter. */
export interface ManyRows<Id, Fields> {
  readonly noun: Noun & { readonly id: ManyName; readonly many: ManyName };
  readonly ids: IdForm<Id>;
  /** How people call several ids: `numbers`. */
  readonly idsName: string;
  /** Whether `update` takes a filter. Otherwise, the ids of the matching rows are read first. */
  readonly updatesByFilter: boolean;
  /** A change whose dry run tells which ids are known. */
  readonly anyChange: Fields;
  update(access: Access, input: UpdateInput<Id, Fields>): Promise<BulkAnswer>;
  /** How many rows one call deletes. */
  readonly deletesAtOnce: number;
  /** Deletes rows. Returns how many. */
  remove(access: Access, ids: readonly Id[]): Promise<number>;
  /** Names a row that is deleted alone. By default, it is counted. */
  nameOf?(access: Access, id: Id): Promise<string>;
  /** Returns a line about a row for a preview. */
  lineOf(row: Rows[ListId]): string;
}

/** The nouns whose operations change many rows. */
type ManyName = 'issues' | 'conversations';

interface UpdateInput<Id, Fields> {
  readonly ids?: Id[];
  readonly filter?: FilterValues;
  readonly set: Fields;
  readonly dry_run?: boolean | undefined;
  /** The change that this call continues. */
  readonly change_id?: number;
}

/** The ids of rows, or a filter that they match. */
type Selection<Id> = { readonly ids: readonly Id[] } | { readonly filter: FilterValues };

/** What a verb is given to select rows. */
interface Selecting {
  readonly ids: readonly string[];
  readonly filter: FilterValues | undefined;
}

/** A change of more rows is confirmed first, as in the dashboard. */
const maxUnasked = 20;
/** How many rows a preview names. */
const maxShown = 5;

/**
 * Returns the rows that the ids or the filter select.
 *
 * @throws UsageError if both do, or neither, or for an empty value
 */
export async function readSelection<Id, Fields>(
  { noun: { many: rows }, ids, idsName }: ManyRows<Id, Fields>,
  { ids: words, filter: parts }: Selecting,
): Promise<Selection<Id>> {
  if ((parts !== undefined) === words.length > 0)
    throw new UsageError(`Name the ${rows} by their ${idsName}, or select them by --filter.`);
  if (parts === undefined) return { ids: await readIds(words, ids) };
  requireValues(parts);
  const { search: q, ...fields } = parts;
  return { filter: { ...fields, q } };
}

/** A change of the selected rows. */
interface ManyChange<Fields> extends Pick<UpdateInput<unknown, Fields>, 'set' | 'dry_run'> {
  /** Returns the question for so many rows. */
  readonly ask: (rows: string) => string;
  readonly yes?: true | undefined;
}

/**
 * Changes the selected rows, or says what that would do.
 *
 * @throws NotFoundError if the user named rows and none exists
 */
export async function changeMany<Id, Fields>(
  access: Access,
  of: ManyRows<Id, Fields>,
  selection: Selection<Id>,
  { ask, yes: isSure, ...setting }: ManyChange<Fields>,
): Promise<Bulk> {
  const { one } = of.noun;
  const { dry_run } = setting;
  const changes = { noun: one, done: 'Changed', quick: maxChangedRows };
  const confirmed = async (count: number) => {
    if (!dry_run && count > maxUnasked) await confirm(ask(counted(count, one)), isSure);
  };
  if ('ids' in selection || !of.updatesByFilter) {
    const ids = 'ids' in selection ? selection.ids : await matchingOf(access, of, selection.filter, dry_run);
    if (ids.length === 0) return nothing;
    await confirmed(ids.length);
    const update = (batch: Id[]) => of.update(access, { ids: batch, ...setting });
    const bulk = await addUp({ ...changes, total: ids.length }, inBatches(ids, maxChangedRows, update));
    requireKnown(bulk.answer, one);
    return bulk;
  }
  const input = { filter: await resolveAssignee(access, selection.filter), ...setting };
  const preview = await of.update(access, { ...input, dry_run: true });
  if (preview.matched === 0) await remarkWordsInUse(access, of.noun, input.filter);
  if (dry_run) {
    await showFirst(access, of, input.filter, preview.matched);
    return { answer: preview, changes: [] };
  }
  const total = preview.changed + preview.remaining;
  await confirmed(total);
  return await addUp(
    { ...changes, total },
    allMatching((more) => of.update(access, { ...input, ...more })),
  );
}

/** Makes a call for each batch of ids. */
export async function* inBatches<Id, Answer>(
  ids: readonly Id[],
  size: number,
  call: (batch: Id[]) => Promise<Answer>,
): AsyncGenerator<Answer> {
  for (const batch of partsOf(ids, size)) yield await call(batch);
}

/** Makes the calls of one change by a filter: as many as can be undone as one. */
async function* allMatching(
  update: (continued: { readonly change_id?: number }) => Promise<BulkAnswer>,
): AsyncGenerator<BulkAnswer> {
  let changed = 0;
  let unchanged = 0;
  let change: BulkAnswer['change_id'] = null;
  do {
    const answer = await update(change === null ? {} : { change_id: change });
    // Each call answers about all rows again.
    const more = Math.max(0, answer.unchanged - unchanged);
    yield { ...answer, unchanged: more };
    changed += answer.changed;
    unchanged += more;
    change = answer.remaining === 0 ? null : (answer.change_id ?? change);
  } while (change !== null && changed + maxChangedRows <= maxRowsOfChange);
}

/** Returns the ids of the selected rows that exist, and the others. */
export async function findMany<Id, Fields>(
  access: Access,
  of: ManyRows<Id, Fields>,
  selection: Selection<Id>,
  dryRun: true | undefined,
): Promise<{ ids: readonly Id[]; unknown: BulkAnswer['unknown'] }> {
  if ('filter' in selection)
    return { ids: await matchingOf(access, of, selection.filter, dryRun), unknown: [] };
  const change = { set: of.anyChange, ask: () => '', dry_run: true };
  const { unknown } = (await changeMany(access, of, selection, change)).answer;
  const missing = new Set<unknown>(unknown);
  return { ids: selection.ids.filter((id) => !missing.has(id)), unknown };
}

/** Returns the ids of the rows that match a filter. A dry run names the first ones. */
async function matchingOf<Id, Fields>(
  access: Access,
  of: ManyRows<Id, Fields>,
  wanted: FilterValues,
  dryRun: boolean | undefined,
): Promise<readonly Id[]> {
  const filter = await resolveAssignee(access, wanted);
  const ids: Id[] = [];
  for await (const { rows } of pagesOf(access, listOf(of), filter, 0))
    ids.push(...rows.map((row) => (row as { readonly id?: unknown }).id as Id));
  if (dryRun) await showFirst(access, of, filter, ids.length);
  if (ids.length === 0) await remarkWordsInUse(access, of.noun, filter);
  return ids;
}

/** Names the first rows that match a filter. */
async function showFirst<Id, Fields>(
  access: Access,
  of: ManyRows<Id, Fields>,
  filter: FilterValues,
  matched: number,
): Promise<void> {
  for await (const { rows } of pagesOf(access, listOf(of), filter, maxShown))
    for (const row of rows) remark(printable(`  ${of.lineOf(row)}`));
  if (matched > maxShown) remark(`  and ${grouped(matched - maxShown)} more`);
}

const listOf = ({ noun: { id } }: Pick<ManyRows<unknown, unknown>, 'noun'>) =>
  ({ operation: `${id}.list`, name: id }) as const;
