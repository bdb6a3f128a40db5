import { useRef, useState } from 'react';
import { client } from '../app/data/client.ts';
import { confirm } from '../form/confirm.tsx';
import { formatCount } from '../parts/numbers.ts';
import { offerUndo } from '../parts/offer-undo.tsx';
import { tell, tellError } from '../parts/tell.ts';
import { countOf } from '../parts/words.ts';
import { allRows } from './csv.ts';
import type { List } from './list.ts';
import type { Resource } from './resource.ts';
import type { AnyRow, Changed, Values } from './rows.ts';

/* The limits of the API: for one call, for one change of several calls, and for one deletion. */
const maxChanged = 10_000;
const maxOfChange = 50_000;
const maxDeleted = 1_000;

/** Changes and deletes the selected rows, says how far it is, and can be cancelled between two calls. */
export function useChangeMany<Row extends AnyRow>(list: List<Row>) {
  const { resource, selection } = list;
  const { noun } = resource;
  const [done, setDone] = useState<number>();
  const running = useRef<AbortController>(undefined);

  /**
   * Runs parts until they end or are cancelled. What is done stays, also if a later part fails. Resolves with how many rows
   * that is; undefined if it failed before it did anything.
   */
  async function run(parts: AsyncIterable<number>): Promise<number | undefined> {
    const controller = new AbortController();
    running.current = controller;
    let sum = 0;
    let hasFailed = false;
    setDone(0);
    try {
      for await (const count of parts) {
        sum += count;
        setDone(sum);
        if (controller.signal.aborted) break;
      }
    } catch (error) {
      hasFailed = true;
      tellError(error as Error);
    } finally {
      setDone(undefined);
    }
    const shown = selection.isAll ? resource.reload() : resource.refresh([...selection.ids]);
    // What is shown follows when the service can be reached again.
    if (hasFailed) return sum === 0 ? undefined : sum;
    await shown;
    return sum;
  }

  async function change(set: Values, onDone: () => void): Promise<void> {
    const changeIds = new Set<number>();
    const changed = await run(changesOf(list, set, changeIds));
    // They stay selected, to try again.
    if (changed === undefined) return;
    if (changeIds.size === 0) tell('Nothing changed: all have that value already.');
    else offerUndo(`${countOf(changed, noun)} changed`, () => undo(resource, [...changeIds]));
    onDone();
  }

  /** Reads which rows it is about before it asks, and deletes exactly those. */
  async function remove(lost: string, onDone: () => void): Promise<void> {
    setDone(0);
    const ids = await selectedIds(list)
      .catch(tellError)
      .finally(() => setDone(undefined));
    if (ids === undefined) return;
    const what = ids.length === 1 ? `${noun.one} ${ids[0]}` : countOf(ids.length, noun);
    const isSure = await confirm({
      title: `Delete ${what}?`,
      text: `${lost} This cannot be undone.`,
      action: `Delete ${what}`,
      typed: selection.isAll ? formatCount(ids.length) : undefined,
    });
    if (!isSure) return;
    const deleted = await run(deletionsOf(resource, ids));
    if (deleted === undefined) return;
    tell(`${countOf(deleted, noun)} deleted.`);
    onDone();
  }

  return {
    change: (set: Values, onDone: () => void) => void change(set, onDone),
    remove,
    done: done ?? 0,
    isRunning: done !== undefined,
    cancel: () => running.current?.abort(),
  };
}

type Selected<Row extends AnyRow> = Pick<List<Row>, 'resource' | 'selection' | 'filter'>;

async function selectedIds<Row extends AnyRow>({
  resource,
  selection,
  filter,
}: Selected<Row>): Promise<readonly Row['id'][]> {
  if (!selection.isAll) return [...selection.ids];
  const ids: Row['id'][] = [];
  for await (const rows of allRows(resource, filter)) ids.push(...rows.map(({ id }) => id));
  return ids;
}

/** Changes the selected rows: by their ids, or by the filter, with the same change as long as the API lets that grow. */
async function* changesOf<Row extends AnyRow>(
  { resource, selection, filter }: Selected<Row>,
  set: Values,
  changeIds: Set<number>,
): AsyncGenerator<number> {
  const { updateMany } = resource;
  if (updateMany === undefined) return;
  const note = ({ changed, change_id }: Changed) => {
    if (change_id !== null) changeIds.add(change_id);
    return changed;
  };
  // The API changes by no filter of assignees.
  if (!selection.isAll || resource.isChangedByIds || filter.assignee !== undefined) {
    const ids = await selectedIds({ resource, selection, filter });
    for (const part of partsOf(ids, maxChanged)) yield note(await updateMany({ ids: part }, set));
    return;
  }
  const { sort: _sort, ...conditions } = filter;
  let ofThisChange = 0;
  let answer: Changed | undefined;
  do {
    const mayGrow = ofThisChange + maxChanged <= maxOfChange;
    const grown = mayGrow ? (answer?.change_id ?? null) : null;
    if (!mayGrow) ofThisChange = 0;
    const target = { filter: conditions, ...(grown === null ? {} : { change_id: grown }) };
    answer = await updateMany(target, set);
    ofThisChange += answer.changed;
    yield note(answer);
  } while (answer.remaining > 0 && answer.changed > 0);
}

async function* deletionsOf<Row extends AnyRow>(
  { remove }: Resource<Row>,
  ids: readonly Row['id'][],
): AsyncGenerator<number> {
  for (const part of partsOf(ids, maxDeleted)) yield (await remove?.(part)) ?? 0;
}

/** Puts back what changes set, the last one first, wherever nobody has changed it since. Returns what to say then. */
export async function undo<Row extends AnyRow>(
  { noun, reload }: Resource<Row>,
  changeIds: readonly number[],
): Promise<string> {
  const sums = { restored: 0, left: 0 };
  try {
    for (const change_id of changeIds.toReversed()) {
      const { restored, left } = await client.call('changes.undo', { change_id });
      sums.restored += restored;
      sums.left += left;
    }
  } finally {
    void reload();
  }
  const rest = sums.left === 0 ? '' : ` ${countOf(sums.left, noun)} changed since and stay as they are.`;
  return `${countOf(sums.restored, noun)} restored.${rest}`;
}

function partsOf<T>(all: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < all.length; from += size) parts.push(all.slice(from, from + size));
  return parts;
}
